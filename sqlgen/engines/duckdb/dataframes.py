"""DataFrames: columns that the database cannot hold as they are, and columns that it returns."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.errors import EngineError, PolicyError
from sqlgen.sql.render import Statement, command

if TYPE_CHECKING:
    import pandas

# What a column of Python's own values holds where the database has a type for all of it.
_PLAIN = ("string", "empty", "boolean", "integer", "floating")
_BY_VALUE = ("boolean", "integer", "floating")


def check_frame(
    engine: Engine,
    frame: "pandas.DataFrame",
    relation: Markup,
    released: Collection[str],
    where: str,
) -> None:
    """Refuse a DataFrame with released columns whose values the database would change.

    Columns of one type of their own are held as they are. Of Python's own values each is compared
    with what the database has of it: it gives a column one type, and casts what is of another.
    A column that is not released may hold anything.
    """
    columns = _columns(frame)
    changed = [
        f"{name} ({_kinds(column)})"
        for name, column in columns.items()
        if name in released and _is_changed(engine, column, name, relation)
    ]
    if changed:
        raise PolicyError(
            f"{where}: the database would change values of the DataFrame's "
            f"{'columns' if len(changed) > 1 else 'column'} {', '.join(changed)}. Give each column "
            "values of one type, and None where a value is missing; convert others to text. "
            "Nothing was changed."
        )


def restored(
    engine: Engine, released: "pandas.DataFrame", source: "pandas.DataFrame", relation: Markup
) -> "pandas.DataFrame":
    """A released DataFrame with the types that its source's columns have.

    A decimal, a date or bytes come back as what they were, a time with a zone in its own zone.
    """
    import pandas  # noqa: PLC0415

    is_float = pandas.api.types.is_float_dtype
    frame = released.copy(deep=False)
    for name, column in _columns(source).items():
        if name not in frame.columns:
            continue
        # Whole numbers of more than 64 bits would come as floating-point numbers.
        is_rounded = _kind(column) == "integer" and is_float(frame[name].dtype)
        if is_rounded or (_is_python(column) and not _has_arrays(column)):
            rows = engine.rows(_values_statement(name, relation))
            values = [row[0] for row in rows]
            frame[name] = pandas.Series(values, index=frame.index, dtype=object)
        elif isinstance(frame[name].dtype, pandas.DatetimeTZDtype) and isinstance(
            column.dtype, pandas.DatetimeTZDtype
        ):
            frame[name] = frame[name].dt.tz_convert(column.dtype.tz)
        elif _is_masked(column) and pandas.api.types.is_numeric_dtype(frame[name].dtype):
            frame[name] = frame[name].astype(column.dtype)
    return frame


def _values_statement(column: str, relation: Markup) -> Statement:
    """The statement that reads a column of a DataFrame or its release, for who brought it."""
    return command(
        "engines/duckdb/frame_column",
        "SELECT {column:ident}\nFROM {relation}",
        column=column,
        relation=relation,
    )


def _columns(frame: "pandas.DataFrame") -> Mapping[str, "pandas.Series[Any]"]:
    """The columns by the names that the database gives them."""
    return {str(name): frame.iloc[:, place] for place, name in enumerate(frame.columns)}


def _is_changed(engine: Engine, column: "pandas.Series[Any]", name: str, relation: Markup) -> bool:
    import pandas  # noqa: PLC0415

    if pandas.api.types.is_timedelta64_dtype(column.dtype):
        # The database counts in microseconds.
        spans = column.dropna()
        return bool((spans != spans.dt.floor("us")).any())
    if not _is_python(column) and _kind(column) not in _BY_VALUE:
        return False
    try:
        rows = engine.rows(_values_statement(name, relation))
    except EngineError:
        engine.undo()
        return True
    return not _are_same(list(column.astype(object)), [row[0] for row in rows])


def _is_python(column: "pandas.Series[Any]") -> bool:
    """Whether a column holds values of Python's own, for which pandas has no plain type."""
    return _kind(column) not in (*_PLAIN, "")


def _kind(column: "pandas.Series[Any]") -> str:
    """The kind of a column of Python's own values, as pandas calls it; "" for any other column."""
    import pandas  # noqa: PLC0415

    dtype = column.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return _kind(dtype.categories.to_series())
    if pandas.api.types.is_object_dtype(dtype) or isinstance(dtype, pandas.ArrowDtype):
        return str(pandas.api.types.infer_dtype(column.astype(object), skipna=True))
    return ""


def _has_arrays(column: "pandas.Series[Any]") -> bool:
    """Whether a column holds arrays of numpy, as which the database hands back its lists."""
    return any(hasattr(value, "tolist") for value in column)


def _is_masked(column: "pandas.Series[Any]") -> bool:
    """Whether a column's type has a mask for what is missing: Int64, Float64, boolean."""
    import pandas  # noqa: PLC0415

    dtype = column.dtype
    return isinstance(dtype, pandas.api.extensions.ExtensionDtype) and hasattr(dtype, "numpy_dtype")


def _are_same(given: Sequence[Any], held: Sequence[Any]) -> bool:
    return len(given) == len(held) and all(map(_is_same, given, held))


def _is_same(given: Any, held: Any) -> bool:
    """Whether the database has a value as it was given; what is missing is NULL."""
    import pandas  # noqa: PLC0415

    if isinstance(given, (list, dict)):
        return type(given) is type(held) and repr(given) == repr(held)
    if hasattr(given, "tolist"):
        # An array of numpy comes back as one; a number of numpy is of no type of its own.
        return isinstance(held, list) and repr(given.tolist()) == repr(held)
    if held is None:
        return bool(pandas.api.types.is_scalar(given) and pandas.isna(given))
    for kind in (datetime, timedelta):
        # Those of pandas are Python's own with nanoseconds, which count in the comparison.
        if isinstance(given, kind) and isinstance(held, kind):
            return bool(given == held)
    # A number that is not one is not itself.
    return type(given) is type(held) and bool(given == held or given != given)  # noqa: PLR0124


def _kinds(column: "pandas.Series[Any]") -> str:
    """The types of a column's values, by name: never a value."""
    import pandas  # noqa: PLC0415

    if pandas.api.types.is_timedelta64_dtype(column.dtype):
        return "parts of a microsecond"
    kinds = {type(value).__name__ for value in column.astype(object)}
    return ", ".join(sorted(kinds - {"NoneType"}))
