"""A course in memory of one lesson with cells, and a runner that answers with given results."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Cell, Chapter, Course, Lesson
from app.lessons.model.shows import Shows
from app.protocol.event import RunEvent, Started
from app.protocol.grading import GradeOrder, Verdict
from app.protocol.outcome import Outcome
from app.protocol.records.figure import FigureRecord
from app.protocol.records.gradcheck import GradcheckRecord
from app.protocol.records.graph import GraphEdge, GraphNode, GraphRecord
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunError, RunOrder, RunResult, Timing
from app.protocol.sandbox import RunnerStatus
from app.runner.client import RunStream, RuntimeAbsence, RuntimeAbsent

LINES = {"": 6, "raises": 5, "outcome": 7, "records": 8, "stdout": 9, "stdout.1": 10, "message": 11, "graph.0": 13, "graph.0.nodes": 14}


def make_cell(cell_id: str = "sinh-bad", *, raises: str | None = None, after: tuple[str, ...] = (), shows: Shows | None = None) -> Cell:
    return Cell(id=cell_id, filename="sinh_bad.py", source=f"# {cell_id}", line=3, raises=raises, after=after, shows=shows)


def make_catalogue(*cells: Cell, **parts: Any) -> Catalogue:
    """Return the course. `parts` are further fields of the lesson: predictions, tries, exercises."""
    lesson = Lesson(id="first", chapter_id="one", minutes=5, runtime="torch", cells=cells, texts={}, **parts)
    return Catalogue(Course((Chapter(id="one", number=1, title={}, lessons=(lesson,)),)))


def make_result(
    outcome: Outcome = Outcome.FINISHED,
    *,
    error: RunError | None = None,
    stdout: str = "",
    stderr: str = "",
    records: Sequence[Record] = (),
) -> RunResult:
    timing = Timing(queued_ms=0, run_ms=1, total_ms=1)
    for number, record in enumerate(records):
        record.id = f"made-{number}"
    encoded = [msgspec.Raw(encode_record(record)) for record in records]
    return RunResult(id="r", outcome=outcome, error=error, stdout=stdout, stderr=stderr, records=encoded, timing=timing)


def make_gradcheck(order: int, *, passed: bool) -> GradcheckRecord:
    return GradcheckRecord(order=1 if order == 1 else 2, mode="reverse", passed=passed, eps=1e-6, atol=1e-5, rtol=1e-3)


def make_value(text: str) -> ValueRecord:
    return ValueRecord(text=text)


def make_figure(*texts: str, note: str | None = None) -> FigureRecord:
    return FigureRecord(width=1, height=1, texts=list(texts), note=note)


def make_graph() -> GraphRecord:
    """Return the graph x → f → out, with grad_x unconnected."""
    nodes = [
        GraphNode(id="n0", kind="leaf", label="x\n(2)", name="x"),
        GraphNode(id="n1", kind="custom_function", label="FBackward"),
        GraphNode(id="n2", kind="output", label="out\n(2)", name="out"),
        GraphNode(id="n3", kind="output", label="grad_x\n(2)", name="grad_x"),
    ]
    edges = [GraphEdge(source="n0", target="n1"), GraphEdge(source="n1", target="n2"), GraphEdge(source="n0", target="n3", kind="missing")]
    return GraphRecord(nodes=nodes, edges=edges)


class FakeStream:
    def __init__(self, events: Sequence[RunEvent]) -> None:
        self.run_id = "r"
        self._events = events

    async def __aiter__(self) -> AsyncIterator[RunEvent]:
        for event in self._events:
            await asyncio.sleep(0)
            yield event


class FakeRunner:
    """Answers with the result or the events given for each cell, and stores the orders. Only torch is installed.

    A submission gets the verdict given for its source.
    """

    def __init__(self, plays: Mapping[str, RunResult | Sequence[RunEvent]], verdicts: Mapping[str, Verdict] | None = None) -> None:
        self.plays, self.verdicts = plays, verdicts or {}
        self.orders: list[RunOrder] = []

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        self.orders.append(order)
        if order.runtime != "torch":
            raise RuntimeAbsent(RuntimeAbsence(order.runtime, ["torch"], order.runtime))
        play = self.plays[order.program.source.cell or ""]
        yield FakeStream([Started("r"), play] if isinstance(play, RunResult) else play)

    @asynccontextmanager
    async def grade(self, order: GradeOrder) -> AsyncIterator[RunStream]:
        self.orders.append(order.run)
        verdict = self.verdicts[order.run.program.source.text]
        yield FakeStream([Started("r"), make_result(), *verdict.checks, verdict])

    async def stop(self, run_id: str) -> bool:
        return False

    async def status(self) -> RunnerStatus:
        return RunnerStatus(ready=True)

    async def metrics(self) -> str:
        return ""

    async def close(self) -> None:
        pass
