"""Programs that are read and not executed, in a real sandbox."""

import asyncio
import time
from typing import Literal

import pytest

from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.run import Program, RunOrder, RunResult, Source
from tests.programs import Programs, typed

SHORT = Limits(deadline_seconds=0.1)
WRONG = """\
import torch
print("executed")
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * x * g.mul_(1)
1 / 0
"""
SLOW = {
    "nested f-strings": "f'" + "{x}" * 20_000 + "'\n",
    "many terms": "x = " + "+".join(["1"] * 30_000) + "\n",
    "many brackets": "(" * 60_000 + "\n",
    "one long list": "x = [" + "1," * 30_000 + "]\n",
}


def reading(text: str) -> Program:
    return Program(source=Source(text=text), instruments=["doctor"], executed=False)


def test_a_mistake_is_read_from_the_source_and_nothing_is_executed(programs: Programs) -> None:
    result = programs.run(WRONG, program=reading(WRONG), limits=Limits(deadline_seconds=5.0))
    assert (result.outcome, result.stdout, result.error) == (Outcome.FINISHED, "", None)
    diagnoses = [record for record in result.records if isinstance(record, Diagnosis)]
    assert [(each.code, each.span.line) for each in diagnoses if each.span] == [("grad-output-mutated", 11)]


@pytest.mark.parametrize(("diagnosis", "tells"), [("full", True), ("cause", False)])
def test_what_to_change_is_told_only_where_it_may_be(programs: Programs, diagnosis: Literal["full", "cause"], tells: bool) -> None:
    order = RunOrder(program=reading(WRONG), limits=Limits(deadline_seconds=5.0), diagnosis=diagnosis)
    last = asyncio.run(programs.collect(order))[-1]
    assert isinstance(last, RunResult)
    (found,) = (record for record in typed(last).records if isinstance(record, Diagnosis))
    assert found.message
    assert (found.change is not None, bool(found.edits)) == (tells, tells)


@pytest.mark.parametrize("name", SLOW)
def test_a_source_that_takes_the_parser_long_ends_by_the_deadline_and_harms_nothing(programs: Programs, name: str) -> None:
    began = time.monotonic()
    result = programs.run(SLOW[name], program=reading(SLOW[name]), limits=SHORT)
    assert time.monotonic() - began < 5
    assert result.outcome in (Outcome.FINISHED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)
    assert result.stdout == ""
    assert programs.run("print('fine')").stdout == "fine\n"
