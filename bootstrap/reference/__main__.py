"""Writes the reference to a file: `python -m bootstrap.reference FILE`, with the interpreter whose libraries it describes."""

import sys
from pathlib import Path

from bootstrap.reference.collection import collect, encode

Path(sys.argv[1]).write_text(encode(collect()), encoding="utf-8")
