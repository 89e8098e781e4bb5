"""A program does the same whether it is traced or not."""

import re

import pytest

from app.protocol.records.fault import FaultRecord
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.run import Program, Source
from tests.runtimes.children import Children
from tests.runtimes.torch.tracing.course_cells import course_programs
from tests.runtimes.torch.tracing.documented import DOCUMENTED
from tests.runtimes.torch.tracing.programs import PROGRAMS, function
from tests.sample import sample

OF_THE_TRACE = ("replay", "saved", "traced_graph")
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
COURSE = {name: text for name, text in course_programs().items() if "perf_counter" not in text}  # the others print times


def seen(records: list[Record]) -> list[bytes]:
    return [encode_record(record) for record in records if record.__struct_config__.tag not in OF_THE_TRACE]


@pytest.mark.parametrize("name", PROGRAMS | DOCUMENTED)
def test_a_traced_program_does_the_same(children: Children, name: str) -> None:
    check(children, (PROGRAMS | DOCUMENTED)[name])


@pytest.mark.parametrize("name", sample(COURSE))
def test_a_traced_program_of_the_course_does_the_same(children: Children, name: str) -> None:
    check(children, COURSE[name])


def test_the_course_has_enough_programs() -> None:
    assert len(COURSE) > 40


def check(children: Children, text: str) -> None:
    plain, traced = (children.run_program(Program(source=Source(text=text), instruments=instruments)) for instruments in ([], ["trace"]))
    assert ADDRESS.sub("", traced.stdout) == ADDRESS.sub("", plain.stdout)
    assert ADDRESS.sub("", traced.stderr) == ADDRESS.sub("", plain.stderr)
    assert traced.over == plain.over
    assert seen(traced.records) == seen(plain.records)
    assert not [record for record in traced.records if isinstance(record, FaultRecord)]


def test_a_chain_of_150_000_functions_does_the_same(children: Children) -> None:
    """Code that follows the graph of such a chain by recursion, or keeps it alive, ends the interpreter."""
    chain = function(
        "return x * 1", "return g * 1", "y = x\nfor _ in range(150_000):\n    y = F.apply(y)\ny.sum().backward()\nprint(x.grad)\n"
    )
    ended = children.run_program(Program(source=Source(text=chain), instruments=["trace"]))
    assert ended.stdout == "tensor([1., 1., 1.], dtype=torch.float64)\n"
    assert ended.over.error is None
    assert not [record for record in ended.records if isinstance(record, FaultRecord)]
