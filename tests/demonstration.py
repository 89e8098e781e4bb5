"""Records what the program of the home page shows: `python -m tests.demonstration`."""

import asyncio

import msgspec

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS, Course
from app.protocol.instrument_facts import DOCTOR, TRACE
from app.protocol.limits import Limits
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.records.gradcheck import GradcheckRecord
from app.protocol.records.graph import TracedGraphRecord
from app.protocol.records.registry import decode_records
from app.protocol.run import Lang, RunResult
from app.web.runs.order import make_order
from app.web.runs.run_request import RunRequest
from app.web.views.lesson.demonstration import RECORD, ShownCheck, ShownEdge, ShownResult, read_source
from tests.programs import Programs, running_programs


def make_record(programs: Programs) -> str:
    """Return the text of the record, from a second run in each language."""
    shown = {lang: extract_shown(run_again(programs, lang)) for lang in LANGS}
    return msgspec.json.format(msgspec.json.encode(shown), indent=1).decode() + "\n"


def extract_shown(result: RunResult) -> ShownResult:
    """Return what the home page shows of a second run. Raises ValueError unless it has one graph and one diagnosis."""
    records = decode_records(result.records)
    (graph,) = [record for record in records if isinstance(record, TracedGraphRecord)]
    (diagnosis,) = [record for record in records if isinstance(record, Diagnosis)]
    names = {node.id: node.name or node.label for node in graph.nodes}
    return ShownResult(
        svg=graph.svg or "",
        edges=tuple(ShownEdge(names[edge.source], names[edge.target], edge.kind) for edge in graph.edges),
        checks=tuple(ShownCheck(record.title, record.passed is True) for record in records if isinstance(record, GradcheckRecord)),
        message=diagnosis.message or "",
    )


def run_again(programs: Programs, lang: Lang) -> RunResult:
    """Return the result of a second run of the program, as the page orders it."""
    request = RunRequest(source=read_source(), instruments=[TRACE.name, DOCTOR.name])
    order = make_order(request, Catalogue(Course()), Limits(), 1)
    last = asyncio.run(programs.collect(msgspec.structs.replace(order, lang=lang)))[-1]
    assert isinstance(last, RunResult), last
    return last


if __name__ == "__main__":
    with running_programs() as programs:
        RECORD.write_text(make_record(programs), encoding="utf-8")
