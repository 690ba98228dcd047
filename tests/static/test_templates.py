"""Templates: each is documented, quoted, used and shipped."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from sqlgen.sql import render

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "templates"
TEMPLATES = {
    path.relative_to(FOLDER).as_posix().removesuffix(".sql.jinja"): path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("*.sql.jinja"))
}

# Statements that make or end something, and so give nothing that could be read.
GIVES_NOTHING = {
    "ledger/withdraw",
}

KEYWORDS = re.compile(
    "SELECT|FROM|WHERE|GROUP|ORDER|BY|HAVING|JOIN|FULL|LEFT|ON|AND|OR|NOT|NULL|IS|DISTINCT|AS|CASE|"
    "WHEN|THEN|ELSE|END|UNION|ALL|WITH|CREATE|TEMPORARY|TABLE|VIEW|DROP|IF|EXISTS|COPY|TO|BEGIN|"
    "TRANSACTION|COMMIT|OVER|PARTITION|NULLS|FIRST|FILTER|BETWEEN|IN|LIMIT|DESC|CAST|COALESCE|COUNT|"
    "SUM|MIN|MAX|DENSE_RANK|UNNEST|RANGE|VALUES|INTERVAL|COLLATE|TRUE|FALSE"
)
# Filters that make one piece of SQL out of several.
JOINING = {
    *("commas", "commas_after", "each", "joined", "lines"),
    *("conjunction", "disjunction", "group_by", "union_all"),
}
# In a file's options and in names: `header = TRUE`, `label`, `value IS NULL`.
LOWER = frozenset({"first", "table", "range", "values", "interval", "to"})


def header(text: str) -> str:
    found = re.match(r"\{#-(.*?)-#\}", text, re.DOTALL)
    return found[1].strip() if found else ""


def parsed(text: str) -> nodes.Template:
    return Environment().parse(text)


def source_calls() -> Iterator[tuple[str, str]]:
    """The function and the template of each rendering in sqlgen; a computed part is ``*``."""
    for path in sorted((ROOT / "sqlgen").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("statement", "fragment", "portable_fragment", "work")
                and node.args
            ):
                first = node.args[0]
                for each in (first.body, first.orelse) if isinstance(first, ast.IfExp) else [first]:
                    yield node.func.id, template_of(each)


def template_of(argument: ast.expr) -> str:
    if isinstance(argument, ast.Constant):
        return str(argument.value)
    if isinstance(argument, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "*" for part in argument.values
        )
    return ""


CALLS = [(function, template) for function, template in source_calls() if "/" in template]


def uses(pattern: str, template: str) -> bool:
    # The form of one engine is taken wherever the template is asked for.
    asked = re.escape(pattern).replace(r"\*", "[a-z_]+")
    return re.fullmatch(asked, template.removesuffix(".duckdb")) is not None


STATEMENTS = {
    template
    for template in TEMPLATES
    for function, pattern in CALLS
    if function == "statement" and uses(pattern, template)
}


def offenders(is_wrong: Callable[[str], object]) -> list[str]:
    """The templates whose text is wrong in some way."""
    return [template for template, text in TEMPLATES.items() if is_wrong(text)]


def test_every_template_opens_with_a_sentence_on_what_it_gives() -> None:
    def opens_otherwise(text: str) -> bool:
        first = re.split(r"\n\s*(?:reads|gives):", header(text))[0].rstrip()
        return not (re.match(r"[A-Z]", first) and first.endswith("."))

    assert offenders(opens_otherwise) == []


def test_every_statement_says_what_it_gives() -> None:
    silent = {template for template in STATEMENTS if "gives:" not in header(TEMPLATES[template])}
    assert silent - GIVES_NOTHING == set()


def test_every_template_is_used() -> None:
    unused = [
        template
        for template in TEMPLATES
        if not any(uses(pattern, template) for _, pattern in CALLS)
    ]
    assert unused == []


def test_every_template_that_is_used_is_there() -> None:
    missing = [
        pattern
        for _, pattern in CALLS
        if not any(uses(pattern, template) for template in TEMPLATES)
    ]
    assert missing == []


def test_the_templates_are_all_files_of_their_folder() -> None:
    files = {path for path in FOLDER.rglob("*") if path.is_file()}
    assert len(files) == len(TEMPLATES)


def test_templates_quote_with_our_filters_alone() -> None:
    ours = {"ident", "literal", "name", "nested", "length", "map", *JOINING}

    def filters_otherwise(text: str) -> bool:
        return not {each.name for each in parsed(text).find_all(nodes.Filter)} <= ours

    assert offenders(filters_otherwise) == []


def test_a_pattern_is_text_of_its_template() -> None:
    """No value is read as a pattern, so that none can ask for another."""

    def reads_a_value(text: str) -> bool:
        return any(
            filtered.name in ("each", "joined") and not isinstance(filtered.args[0], nodes.Const)
            for filtered in parsed(text).find_all(nodes.Filter)
        )

    assert offenders(reads_a_value) == []


def test_templates_neither_include_nor_define() -> None:
    programs = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends, nodes.Macro)
    assert offenders(lambda text: [*parsed(text).find_all((*programs, nodes.CallBlock))]) == []


def test_templates_call_nothing() -> None:
    assert offenders(lambda text: [*parsed(text).find_all(nodes.Call)]) == []


def test_what_a_template_prints_has_passed_a_filter() -> None:
    assert render.ENVIRONMENT.autoescape is True
    assert render.ENVIRONMENT.finalize is not None
    with pytest.raises(TypeError, match="without a quoting filter"):
        render.ENVIRONMENT.finalize("raw")


def lower_keywords(text: str) -> set[str]:
    """The keywords that a template writes in lower case."""
    others = r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|'[^']*'|\"[^\"]*\""
    words = set(re.findall(r"[A-Za-z_]+", re.sub(others, " ", text, flags=re.DOTALL)))
    lower = {word for word in words if KEYWORDS.fullmatch(word.upper()) and not word.isupper()}
    return lower - LOWER


def test_keywords_are_upper_case() -> None:
    assert offenders(lower_keywords) == []


def test_lines_are_indented_by_spaces_and_end_in_none() -> None:
    assert offenders(lambda text: re.search(r"[ \t\r]$|\t", text, re.MULTILINE)) == []
    assert offenders(lambda text: not text.endswith("\n")) == []


def test_no_statement_groups_or_orders_by_position() -> None:
    assert offenders(lambda text: re.search(r"(GROUP|ORDER) BY \d", text)) == []


def orders(text: str) -> list[str]:
    """The clause after each ORDER BY of a template."""
    sql = re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)
    found = []
    for place in re.finditer(r"ORDER BY ", sql):
        depth, end = 0, place.end()
        while end < len(sql):
            depth += {"(": 1, ")": -1}.get(sql[end], 0)
            if depth < 0 or (depth == 0 and re.match(r"\n(?!\s*\{)|LIMIT|ROWS ", sql[end:])):
                break
            end += 1
        found.append(sql[place.end() : end])
    return found


def says_no_direction(clause: str) -> bool:
    """Whether some expression of an ORDER BY is neither ascending nor descending."""
    spelled = re.sub(r'\{\{[^}]*?each\("(.*?)"\).*?\}\}', r"\1", clause)
    bare = re.sub(r"\{%.*?%\}", " ", re.sub(r"\{\{.*?\}\}", "x", spelled))
    # Commas inside parentheses part arguments.
    while (flat := re.sub(r"\([^()]*\)", "", bare)) != bare:
        bare = flat
    parts = re.split(r",|(?<=ASC) (?=\w)(?!NULLS)|(?<=FIRST) (?=\w)", bare)
    return any(
        part.strip() and not re.search(r"(ASC|DESC)( NULLS (FIRST|LAST))?\s*$", part)
        for part in parts
    )


def test_every_order_is_ascending_or_descending() -> None:
    """A connection has a default_order and a default_null_order, and they are not ours."""
    assert sum(len(orders(text)) for text in TEMPLATES.values()) > 50
    assert offenders(lambda text: any(map(says_no_direction, orders(text)))) == []
    # The lint itself sees what it looks for.
    assert says_no_direction("a, b DESC")
    assert not says_no_direction("a ASC NULLS FIRST, b DESC")


def test_the_wheel_ships_the_templates() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {"templates": "sqlgen/templates"}
    assert render._PACKAGED == ROOT / "sqlgen" / "templates"
    assert render._CHECKOUT == FOLDER
