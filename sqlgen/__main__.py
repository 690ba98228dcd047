"""``python -m sqlgen``."""

from sqlgen.cli import main

main()
