"""The same in the real sandbox, with programs that lie, programs that forge, and odd but honest programs, which are shown unchanged."""

import pytest

from app.protocol.outcome import Outcome
from app.protocol.run import Program, Source
from tests.programs import Programs
from tests.runner.forged.liar import PROGRAM
from tests.runner.forged.table import FORGED

WRONG = """
import torch
from torch.autograd import gradcheck

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad

x = torch.ones(2, dtype=torch.double, requires_grad=True)
"""
WRITE = """
import os, time
data = memoryview({data!r})
while data:
    data = data[os.write(3, data) :]
time.sleep(60)
"""


@pytest.mark.parametrize(
    "patch",
    [
        "torch.allclose = lambda *args, **kwargs: True",
        "import sys\nsys.modules['torch.autograd.gradcheck']._allclose_with_type_promotion = lambda *args: True",
    ],
)
def test_a_check_whose_comparison_was_replaced_is_shown_as_failed(programs: Programs, patch: str) -> None:
    result = programs.run(f"{WRONG}{patch}\nprint(gradcheck(Double.apply, x))")
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "True\n")
    (check,) = result.records
    assert (check.name, check.pairs[0].failing) == ("gradcheck failed", 2)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("gradcheck(lambda x: x * 2, x)", "gradcheck passed"),
        ("gradcheck(lambda x: x * 2j, x.detach().to(torch.cdouble).requires_grad_(), fast_mode=True)", "gradcheck passed"),
        ("gradcheck(lambda x: x * 2, torch.ones(0, dtype=torch.double, requires_grad=True))", "gradcheck passed"),
        ("gradcheck(lambda x: x * 2, torch.rand(80, dtype=torch.double, requires_grad=True))", "gradcheck passed"),
        ("gradcheck(Double.apply, torch.rand(8, 16, dtype=torch.double, requires_grad=True), raise_exception=False)", "gradcheck failed"),
        ("gradcheck(lambda x: x * 2, torch.ones(2, requires_grad=True), eps=1e-2, atol=1e-1)", "gradcheck passed"),
        ("gradcheck(lambda x: (), x)", "gradcheck empty"),
        ("gradcheck(lambda x: torch.ones(2), x, fast_mode=True)", "gradcheck empty"),
        ("gradcheck(Double.apply, x, raise_exception=False)", "gradcheck failed"),
        ("gradcheck(lambda x: x.detach() * 2, x, raise_exception=False)", "gradcheck failed"),
        ("gradcheck(lambda x: x * torch.rand(2), x, raise_exception=False)", "gradcheck failed"),
    ],
)
def test_an_honest_check_is_shown_as_it_was(programs: Programs, call: str, name: str) -> None:
    result = programs.run(f"{WRONG}{call};")
    assert (result.outcome, [record.name for record in result.records]) == (Outcome.FINISHED, [name])


@pytest.mark.parametrize("dimensions", [3, 64, 65, 500, 970])
def test_a_value_of_many_dimensions_is_shown_once(programs: Programs, dimensions: int) -> None:
    result = programs.run(f"import torch\nprint('ran')\ntorch.ones([1] * {dimensions})")
    assert (result.outcome, result.stdout, len(result.records)) == (Outcome.FINISHED, "ran\n", 1)
    assert (result.records[0].values is not None) == (dimensions <= 64)


@pytest.mark.parametrize("shape", ["0", "4096, 0", "0, 4096", "2, 0, 2"])
def test_a_value_of_no_entries_is_shown(programs: Programs, shape: str) -> None:
    assert programs.run(f"import torch\ntorch.ones({shape})").outcome == Outcome.FINISHED


def test_code_of_a_sources_name_may_stand_on_lines_that_the_source_does_not_have(programs: Programs) -> None:
    text = "\\n" * 40 + "def f(n):\\n    return 1 / n\\n"
    program = Program(source=Source(cell="b", text=f"exec(compile('{text}', '<b>', 'exec'))\nf(0)"))
    error = programs.run("", program=program).error
    assert [(frame.line, frame.function) for frame in error.traceback] == [(2, "<module>"), (None, "f")]


@pytest.mark.parametrize("text", ["", "\n", "def", "x = (", "1 +\r\n", "\x0c\x0cx y", "\u2028x", "x = '''", "é = 1; 1 / 0", "\t1 / 0"])
def test_an_error_anywhere_is_told_of(programs: Programs, text: str) -> None:
    result = programs.run("", program=Program(source=Source(cell="b", text=text), replay=[Source(cell="a", text="y = 2")]))
    assert result.outcome in (Outcome.FINISHED, Outcome.RAISED)


@pytest.mark.parametrize(
    "name",
    [
        "gradcheck: passed beside what fails",
        "gradcheck: Jacobians of another shape",
        "value at a cell of another's",
        "graph label with override",
        "end: finished with an error",
        "end: a frame of another's before its own",
        "graph: a link in its DOT",
        "values 970 deep",
    ],
)
def test_what_is_forged_in_the_sandbox_is_not_shown_as_true(programs: Programs, name: str) -> None:
    source = Source(cell="b", text=WRITE.format(data=FORGED[name]))
    result = programs.run("", program=Program(source=source, replay=PROGRAM.replay))
    assert result.outcome in (Outcome.FINISHED, Outcome.CRASHED)
    assert result.outcome == Outcome.CRASHED or all(getattr(record, "passed", None) is not True for record in result.records)
