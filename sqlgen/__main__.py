"""``python -m sqlgen``."""

from sqlgen.cli.main import main

main()
