"""Names of tables as people write them, split into their parts."""


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
