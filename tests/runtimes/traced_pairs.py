"""Runs programs of a framework with and without the instrument `trace`, and compares what they do."""

import re
from typing import Any

from app.lessons.model.model import Lesson
from app.protocol.records.fault import FaultRecord
from app.protocol.records.graph import GraphNode, TracedGraphRecord
from app.protocol.records.registry import encode_record
from app.protocol.run import RuntimeName
from tests.own_course import load_own_course
from tests.runtimes.framework_programs import FrameworkPrograms

ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
NUMBER = re.compile(r"__(?:forward|inference)\w+|_\d+\b")  # TensorFlow numbers its functions


def graphs_of(result: Any) -> list[TracedGraphRecord]:
    return [record for record in result.records if isinstance(record, TracedGraphRecord)]


def functions_of(graph: TracedGraphRecord) -> list[GraphNode]:
    return [node for node in graph.nodes if node.kind in ("function", "custom_function")]


def edges_of(graph: TracedGraphRecord) -> list[tuple[str, str]]:
    """Return the edges, as pairs of the labels of their nodes."""
    labels = {node.id: node.name or node.label for node in graph.nodes}
    return [(labels[edge.source], labels[edge.target]) for edge in graph.edges]


def check_same(programs: FrameworkPrograms, text: str) -> Any:
    """Run a program both ways, and compare the output, the error and the records. Return the result of the traced run."""
    plain, traced = (programs.run(text, instruments=instruments) for instruments in ((), ("trace",)))
    for stream in ("stdout", "stderr"):
        assert without_numbers(getattr(traced, stream)) == without_numbers(getattr(plain, stream))
    assert (traced.outcome, traced.error) == (plain.outcome, plain.error)
    assert seen(traced) == seen(plain)
    assert not [record for record in traced.records if isinstance(record, FaultRecord)]
    return traced


def without_numbers(text: str) -> str:
    return NUMBER.sub("", ADDRESS.sub("", text))


def seen(result: Any) -> list[bytes]:
    return [encode_record(record) for record in result.records if not isinstance(record, TracedGraphRecord)]


def course_programs(runtime: RuntimeName) -> dict[str, str]:
    """Return every cell of the course in this framework, with the cells before it."""
    found = {}
    for lesson in load_own_course().course.lessons:
        for cell in lesson.cells:
            if cell.runtime == runtime:
                found[f"{lesson.chapter_id}/{lesson.id}/{cell.id}"] = program_of(lesson, cell.id)
    return found


def program_of(lesson: Lesson, cell_id: str) -> str:
    cells = {cell.id: cell for cell in lesson.cells}
    cell = cells[cell_id]
    return "\n".join(each.source for each in (*(cells[before] for before in cell.after), cell))
