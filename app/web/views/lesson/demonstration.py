"""The program of the home page and its recorded result, which are `sinh_bad.py` and `recorded.json` in `lessons/home/`.

`python -m tests.demonstration` runs the program and writes the record. A test fails if a run shows anything else.
"""

from dataclasses import dataclass
from functools import cache

import msgspec
from markupsafe import Markup

from app.lessons.model.model import Cell
from app.protocol.records.graph import EdgeKind
from app.protocol.run import Lang
from app.settings import PROJECT
from app.web.views.lesson.cell_view import CellView, view_cell
from app.web.views.reference.what_works import with_code

FOLDER = PROJECT / "lessons" / "home"
RECORD = FOLDER / "recorded.json"


class ShownEdge(msgspec.Struct, frozen=True, array_like=True):
    """An edge of the graph, with the names of the nodes that it joins."""

    source: str
    target: str
    kind: EdgeKind


class ShownCheck(msgspec.Struct, frozen=True, array_like=True):
    """A gradient check: the name of the function, and whether it passed."""

    name: str
    passed: bool


class ShownResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a run's result that the home page shows. It has no numbers, which differ a little between processors.

    `svg` is the backward graph as the second run draws it, with missing paths. `message` says what is wrong, with code in backquotes.
    """

    svg: str
    edges: tuple[ShownEdge, ...]
    checks: tuple[ShownCheck, ...]
    message: str


@dataclass(frozen=True, kw_only=True)
class DemonstrationView:
    """The program of the home page as a cell, and its recorded result."""

    cell: CellView
    svg: Markup
    edges: tuple[ShownEdge, ...]
    checks: tuple[ShownCheck, ...]
    message_html: Markup


def read_source() -> str:
    return (FOLDER / "sinh_bad.py").read_text(encoding="utf-8")


@cache
def view_demonstration(lang: Lang) -> DemonstrationView:
    """Return the view of the program. Raises OSError or msgspec.DecodeError if the folder is damaged."""
    shown = msgspec.json.decode(RECORD.read_bytes(), type=dict[Lang, ShownResult])[lang]
    cell = Cell(id="sinh-bad", filename="sinh_bad.py", source=read_source(), line=1, raises="GradcheckError")
    return DemonstrationView(
        cell=view_cell(cell, {cell.id: 1}, prints=""),
        svg=Markup(shown.svg),
        edges=shown.edges,
        checks=shown.checks,
        message_html=with_code(shown.message),
    )
