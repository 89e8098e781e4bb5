"""Writes the editor's reference of the running interpreter's libraries: `python -m bootstrap.reference FILE`."""

import sys
from pathlib import Path

from bootstrap.reference.collection import collect, encode

Path(sys.argv[1]).write_text(encode(collect()), encoding="utf-8")
