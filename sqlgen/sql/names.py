"""Names of tables as people write them, split into their parts."""

from string import ascii_lowercase, ascii_uppercase

_FOLDING = str.maketrans(ascii_uppercase, ascii_lowercase)


def parse_name(text: str) -> tuple[str, ...]:
    """The parts of ``schema.table``; a part in double quotes may hold dots.

    >>> parse_name('main."my.table"')
    ('main', 'my.table')
    """
    parts: list[str] = [""]
    quoted = False
    position = 0
    while position < len(text):
        character = text[position]
        if character == '"' and quoted and text[position + 1 : position + 2] == '"':
            parts[-1] += '"'
            position += 1
        elif character == '"':
            quoted = not quoted
        elif character == "." and not quoted:
            parts.append("")
        else:
            parts[-1] += character
        position += 1
    if quoted or not all(parts) or len(parts) > 3:
        raise ValueError(f"not a table name: {text}")
    return tuple(parts)


def folded(name: str) -> str:
    """A name as the engine compares it: only the letters A to Z are folded.

    >>> folded("Zip_É")
    'zip_É'
    """
    return name.translate(_FOLDING)


def with_ending(text: str, ending: str) -> str:
    """The name of a table beside one: an ending behind its last part.

    >>> with_ending("main.people", "_sensitive"), with_ending('main."my.table"', "_sensitive")
    ('main.people_sensitive', 'main."my.table_sensitive"')
    """
    return f'{text[:-1]}{ending}"' if text.endswith('"') else text + ending
