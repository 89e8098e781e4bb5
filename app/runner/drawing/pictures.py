"""The pictures of one run: which painter draws which kind of record. They share the time that the run's limits give to layout."""

from collections.abc import Callable
from typing import Any, Protocol

from app.protocol.limits import Limits
from app.protocol.owner import NOBODY, Owner
from app.protocol.records.figure import FigureRecord
from app.protocol.records.graph import GraphRecord, TracedGraphRecord
from app.protocol.records.record import Record
from app.protocol.run import Lang
from app.runner.drawing.figure_painter import FigurePainter
from app.runner.drawing.graph_painter import GraphPainter
from app.runner.drawing.layout_workers import Allowance, LayoutWorkers

# the pictures of a run may have so many times the bytes that the run may send: a PNG that is encoded anew may be several times as large
PICTURE_BYTES_PER_BYTE = 2


class Painter(Protocol):
    """Draws the records of one kind."""

    async def complete(self, record: Any) -> Record:
        """Return the record with its picture, or with a note that says why there is none. Nothing in a record makes this raise."""

    def leave_out(self, record: Any) -> Record:
        """Return the record without a picture, because its run was ended."""

    def refuse(self, record: Any) -> Record:
        """Return the record without its largest picture, because the run's pictures are too large.

        A second call removes its other pictures.
        """


class Pictures:
    """Adds pictures to those records of one run whose kinds have pictures. `owner` and `on_used`: see Allowance."""

    def __init__(
        self,
        layout: LayoutWorkers,
        limits: Limits,
        lang: Lang,
        owner: Owner = NOBODY,
        on_used: Callable[[float], None] = lambda _: None,
    ) -> None:
        allowance = Allowance(limits.layout_seconds, owner, on_used)
        self._bytes_left = PICTURE_BYTES_PER_BYTE * limits.records_bytes
        graph_painter = GraphPainter(layout, allowance, limits, lang)
        self._painters: dict[type[Record], Painter] = {
            GraphRecord: graph_painter,
            TracedGraphRecord: graph_painter,
            FigureRecord: FigurePainter(layout, allowance, lang),
        }

    def draws(self, record: Record) -> bool:
        """Whether the record gets a picture, which takes time."""
        return type(record) in self._painters

    async def complete(self, record: Record) -> Record:
        painter = self._painters.get(type(record))
        if painter is None:
            return record
        drawn = await painter.complete(record)
        for _ in range(2):
            if measure(drawn) > self._bytes_left:
                drawn = painter.refuse(drawn)
        self._bytes_left -= measure(drawn)
        return drawn

    def leave_out(self, record: Record) -> Record:
        painter = self._painters.get(type(record))
        return painter.leave_out(record) if painter else record


def measure(record: Record) -> int:
    """Return the size of a record's pictures, in characters."""
    own = sum(len(getattr(record, name, None) or "") for name in ("svg", "png", "folded_svg"))
    return own + sum(measure(part) for part in getattr(record, "folds", ()))
