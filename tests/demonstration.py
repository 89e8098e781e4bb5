"""Records what the program of the home page shows: `python -m tests.demonstration`."""

import asyncio

import msgspec

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS, Course
from app.protocol.instrument_facts import DOCTOR, TRACE
from app.protocol.limits import Limits
from app.protocol.run import Lang, RunResult
from app.web.runs.order import make_order
from app.web.runs.run_request import RunRequest
from app.web.views.demonstration import RECORD, extract_shown, read_source, render_record
from tests.programs import Programs, running_programs


def make_record(programs: Programs) -> str:
    """The text of the record, from a second run in each language."""
    return render_record({lang: extract_shown(run_again(programs, lang)) for lang in LANGS})


def run_again(programs: Programs, lang: Lang) -> RunResult:
    """The result of a second run of the program, as the page orders it."""
    request = RunRequest(source=read_source(), instruments=[TRACE.name, DOCTOR.name])
    order = make_order(request, Catalogue(Course()), Limits(), 1)
    last = asyncio.run(programs.collect(msgspec.structs.replace(order, lang=lang)))[-1]
    assert isinstance(last, RunResult), last
    return last


if __name__ == "__main__":
    with running_programs() as programs:
        RECORD.write_text(make_record(programs), encoding="utf-8")
