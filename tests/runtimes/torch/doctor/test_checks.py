"""Why gradcheck fails although the gradient is right."""

import pytest

from app.runtimes.recorder import Recorder
from app.runtimes.torch.instruments.doctor_instrument import DoctorInstrument
from app.runtimes.torch.instruments.trace_instrument import TraceInstrument
from app.runtimes.torch.tracing.traced_program import TracedProgram
from tests.runtimes.children import Children
from tests.runtimes.torch.doctor.diagnosed import diagnose
from tests.runtimes.torch.tracing.programs import function

RELU = "ctx.save_for_backward(x); return x.clamp(min=0)"
SAVED = "x, = ctx.saved_tensors; "
GATED = SAVED + "return g * (x > 0)"
AT_ZERO = "ramp = torch.tensor([-1.0, 0.0, 2.0], dtype=torch.double, requires_grad=True)\n"
QUIET = "torch.autograd.gradcheck(F.apply, (ramp,), raise_exception=False)"
SQUARE = "ctx.save_for_backward(x); return (x * x).sum(-1)"
LINEAR = "x, = ctx.saved_tensors; return 2 * x * g.unsqueeze(-1)"
WINDOWS = "windows = torch.rand(8, dtype=torch.double).unfold(0, 4, 2).requires_grad_()\n"


@pytest.mark.parametrize("call", [QUIET, "torch.autograd.gradcheck(lambda r: F.apply(r * 1), [ramp], raise_exception=False)"])
def test_a_check_at_a_kink(children: Children, call: str) -> None:
    diagnosed = diagnose(children, function(RELU, GATED, AT_ZERO + call + "\n"))
    assert diagnosed.found == [("kink", call)]
    if call == QUIET:
        assert diagnosed.diagnoses[0].values == {"function": "F", "input": "ramp", "index": [1]}


def test_a_check_at_a_kink_that_raises(children: Children) -> None:
    call = "torch.autograd.gradcheck(F.apply, (ramp,))"
    assert diagnose(children, function(RELU, GATED, AT_ZERO + call + "\n")).found == [("kink", call)]


NO_KINKS = {
    "a wrong gradient elsewhere": function(RELU, SAVED + "return 3 * g * (x > 0)", AT_ZERO + QUIET + "\n"),
    "a slope outside of the two sides": function(
        RELU, "x, = ctx.saved_tensors; return g * ((x > 0) - 1.0 * (x == 0))", AT_ZERO + QUIET + "\n"
    ),
    "a jump": function("return x.ceil()", "return g * 0.5", AT_ZERO + QUIET + "\n"),
    "a smooth function with a wrong gradient": function(
        "ctx.save_for_backward(x); return x.exp()", SAVED + "return g * x", AT_ZERO + QUIET + "\n"
    ),
    "a check that passes": function(RELU, GATED, AT_ZERO.replace("0.0", "0.5") + QUIET + "\n"),
    "no Function": "import torch\n" + AT_ZERO + "torch.autograd.gradcheck(torch.relu, (ramp,), raise_exception=False)\n",
}


@pytest.mark.parametrize("name", NO_KINKS)
def test_no_kink(children: Children, name: str) -> None:
    assert "kink" not in [code for code, _ in diagnose(children, NO_KINKS[name]).found]


def test_windows_that_share_memory(children: Children) -> None:
    call = "torch.autograd.gradcheck(F.apply, (windows,), raise_exception=False)"
    diagnosed = diagnose(children, function(SQUARE, LINEAR, WINDOWS + call + "\n"))
    assert diagnosed.found == [("overlapping-memory", call)]
    assert diagnosed.diagnoses[0].values == {"name": "windows"}


def test_windows_that_are_copied(children: Children) -> None:
    call = "torch.autograd.gradcheck(F.apply, (windows.clone(),))\n"
    assert diagnose(children, function(SQUARE, LINEAR, WINDOWS + call)).diagnoses == []


def test_what_a_trace_found_is_used_for_one_program_only() -> None:
    recorder = Recorder()
    trace = TraceInstrument(recorder)
    trace.finished = TracedProgram(differentiates_twice=True)
    DoctorInstrument(recorder, trace).finish(None)
    assert trace.finished == TracedProgram()
