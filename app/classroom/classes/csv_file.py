"""CSV files, as spreadsheets write and read them."""

import csv
import io
from collections.abc import Iterable, Sequence

BOM = "\ufeff"  # by which Excel knows UTF-8
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet lets a formula begin
DELIMITERS = ",;\t"


def write_csv(rows: Iterable[Sequence[object]]) -> bytes:
    """Return rows as CSV in UTF-8 with a byte order mark; None is an empty cell.

    A text that a spreadsheet would take for a formula gets an apostrophe.
    """
    text = io.StringIO(newline="")
    csv.writer(text).writerows([escape_cell(cell) for cell in row] for row in rows)
    return (BOM + text.getvalue()).encode()


def escape_cell(cell: object) -> str:
    written = "" if cell is None else str(cell)
    return f"'{written}" if isinstance(cell, str) and written.startswith(FORMULA) else written


def read_cell(written: str) -> str:
    """Return a cell without an apostrophe that `write_csv` has added, and without spaces around it."""
    cell = written[1:] if written.startswith("'") and written[1:].startswith(FORMULA) else written
    return cell.strip()


def find_delimiter(line: str) -> str:
    """Return which delimiter a first line uses."""
    return max(DELIMITERS, key=line.count)
