"""CSV files, as spreadsheets write and read them."""

import csv
import io
from collections.abc import Iterable, Sequence

BOM = "\ufeff"  # by which Excel recognises UTF-8
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with which a formula begins in a spreadsheet


def write_csv(rows: Iterable[Sequence[object]]) -> bytes:
    """Return rows as CSV in UTF-8 with a byte order mark. `escape_cell` makes the text of each cell."""
    return write_rows([escape_cell(cell) for cell in row] for row in rows)


def write_rows(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows as CSV in UTF-8 with a byte order mark. The caller has escaped each text that a spreadsheet could read as a formula."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return (BOM + text.getvalue()).encode()


def escape_cell(cell: object) -> str:
    """Return the text of a cell, "" for None. A text that a spreadsheet would read as a formula gets an apostrophe."""
    written = "" if cell is None else str(cell)
    return f"'{written}" if isinstance(cell, str) and written.startswith(FORMULA) else written


def read_cell(written: str) -> str:
    """Return a cell without surrounding spaces, and without the apostrophe that `write_csv` adds."""
    cell = written[1:] if written.startswith("'") and written[1:].startswith(FORMULA) else written
    return cell.strip()
