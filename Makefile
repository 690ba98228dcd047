PYTHON ?= python3
VENV ?= .venv
DUCKDB ?= duckdb>=1.5
# How hard the battery tries: fast, some, many or dev (tests/conftest.py).
EXAMPLES ?= many
# What the battery is: with drawn tests outside of its folders, which have few examples in make test.
MARKED ?= battery or hypothesis
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
CENSUS = build/census
DOCS_TESTS = tests/cli/test_docs.py tests/cli/test_readme.py

# Compiled modules are kept, beside the environment: a suite starts some hundred processes, and each
# would compile sqlgen again where a shell asks Python to keep nothing.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX = $(abspath $(VENV))/pycache

.PHONY: demo test battery test-duckdb-1.5 lint format docs refresh-docs clean

demo: $(VENV)/ready  ## the main job on the bundled census: check, plan, apply, audit
	rm -rf $(CENSUS) && mkdir -p build && cp -r examples/census $(CENSUS)
	$(BIN)/python $(CENSUS)/build.py
	$(BIN)/sqlgen check $(CENSUS)/census.duckdb people --quasi birth_date,zip,sex
	$(BIN)/sqlgen plan $(CENSUS)/policy.yml
	$(BIN)/sqlgen apply $(CENSUS)/policy.yml
	$(BIN)/sqlgen audit $(CENSUS)/policy.yml
	$(BIN)/python examples/show.py $(CENSUS)/census.duckdb people_anon 8

test: $(VENV)/ready-to-test  ## what a change waits for: every test but the battery
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not battery" $(TESTED)

# Edited templates, faults, kills, nights, hostile names, memory, frozen behaviour, the commands of
# all documents, whatever else takes long; and drawn tests with many examples.
# A part of it: make battery TESTED=tests/battery/kills, or of one room: TESTED="-k judging".
battery: $(VENV)/ready-to-test  ## the rest: before a release, and in .ci/run
	HYPOTHESIS_PROFILE=$(EXAMPLES) $(BIN)/python -m pytest -n auto --dist worksteal \
		-m "$(MARKED)" $(TESTED)

test-duckdb-1.5:  ## every test but the battery, on the oldest DuckDB that is supported
	$(MAKE) test VENV=.venv-duckdb-1.5 DUCKDB="duckdb>=1.5,<1.6"

lint: $(VENV)/ready-to-test  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/ready-for-docs  ## the site, in build/site; a dead link is an error
	$(BIN)/zensical build --clean --strict

refresh-docs: $(VENV)/ready-to-test  ## write what commands print now into every page
	SQLGEN_UPDATE_CONSOLE=1 $(BIN)/python -m pytest -q $(DOCS_TESTS)

format: $(VENV)/ready-to-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable . "$(DUCKDB)"
	touch $@

$(VENV)/ready-to-test: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable ".[dev]" "$(DUCKDB)"
	touch $@

$(VENV)/ready-for-docs: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable ".[docs]" "$(DUCKDB)"
	touch $@

clean:
	rm -rf .venv .venv-duckdb-1.5 build dist
