"""A runner that has every framework, for the course of tests/frameworks_course.py."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from app.protocol.event import Started
from app.protocol.outcome import Outcome
from app.protocol.records.record import Span
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunError, RunOrder, RunResult
from app.runner.client import RunStream
from tests.authoring.course import FakeRunner, FakeStream
from tests.frameworks_course import JAXPR, make_result

ADDRESSES = iter(range(0x7F0000000000, 0x7FFFFFFFFFFF, 0x1010))


class FrameworksRunner(FakeRunner):
    """Answers with the recorded result of each cell, with other addresses in memory each time."""

    def __init__(self, tensorflow: str = "2.21.0", printed: str = "6.0") -> None:
        super().__init__({})
        self.tensorflow, self.printed = tensorflow, printed

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        yield FakeStream([Started("r"), self.play(order)])

    def play(self, order: RunOrder) -> RunResult:
        match order.program.source.cell:
            case "in-tensorflow":
                result = make_result("tensorflow", f"{self.printed}\n<object object at {next(ADDRESSES):#x}>\n")
                return msgspec.structs.replace(result, versions={"tensorflow": self.tensorflow})
            case "in-jax":
                printed = "9.0\n" if "3 * x" in order.program.source.text else "6.0\n"
                return make_result(
                    "jax", printed, records=[ValueRecord(id="value-1", span=Span(cell="in-jax", line=9), stdout_offset=4, text=JAXPR)]
                )
            case "jax-again":
                words = "没有定义。" if order.lang == "zh-Hans" else None
                message = "name 'doubled' is not defined"
                error = RunError(type="NameError", message=message, cell="jax-again", line=1, column=6, explanation=words)
                return make_result("jax", outcome=Outcome.RAISED, error=error)
            case _:
                return make_result("torch", "6.0\n")
