"""The doctor records each mistake of a program once, by names and numbers, without changing what the program shows."""

import re

import pytest

from app.protocol.records.examined import ExaminedRecord
from app.protocol.records.registry import encode_record
from app.protocol.run import Program, Source
from tests.runtimes.children import Children
from tests.runtimes.torch.doctor.diagnosed import diagnose
from tests.runtimes.torch.tracing.programs import PASS, PROGRAMS, SAVES, USES, function
from tests.runtimes.torch.tracing.test_transparency import ADDRESS

NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*(\[\d+\])?")
CUBED = "cube, = ctx.saved_tensors; return 3 * g * (cube / ctx.x)"
SAVED = "cube = x ** 3; ctx.x = x; ctx.save_for_backward(cube); return cube * 1"
GRAPH = "grad, = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)\ngrad.sum().backward()\n"
WRONG = "x, = ctx.saved_tensors; return 3 * x * g"

# For each source of diagnoses: a program, and what is found, with its line.
SEEN = {
    "syntax": (
        function("ctx.save_for_backward(x); return x * x", "x = ctx.saved_tensors\nreturn 2 * x[0] * g.mul_(1)", PASS),
        ("grad-output-mutated", "return 2 * x[0] * g.mul_(1)"),
    ),
    "trace": (function(SAVED, CUBED, GRAPH), ("intermediate-saved", SAVED)),
    "probes": (function(SAVES, WRONG, PASS), ("wrong-factor", WRONG)),
    "an error": (function(SAVES, USES, "y = F.apply(x).sum()\ny.backward()\ny.backward()\n"), ("backward-twice", "y.backward()")),
    "a warning": (
        function(SAVES, USES, "y = F.apply(x)\ny.sum().backward()\nprint(y.grad)\n"),
        ("non-leaf-grad", "print(y.grad)"),
    ),
}


@pytest.mark.parametrize("source", SEEN)
def test_a_mistake_is_found_on_its_line(children: Children, source: str) -> None:
    text, expected = SEEN[source]
    assert expected in diagnose(children, text).found


@pytest.mark.parametrize("source", SEEN)
def test_each_mistake_is_recorded_once(children: Children, source: str) -> None:
    diagnosed = diagnose(children, SEEN[source][0])
    assert len(diagnosed.found) == len(set(diagnosed.found))


@pytest.mark.parametrize("source", SEEN)
def test_values_are_names_and_numbers(children: Children, source: str) -> None:
    for diagnosis in diagnose(children, SEEN[source][0]).diagnoses:
        assert all(NAME.fullmatch(value) for value in diagnosis.values.values() if isinstance(value, str))


def test_evidence_is_what_the_trace_has_recorded(children: Children) -> None:
    diagnosed = diagnose(children, SEEN["trace"][0])
    recorded = b"".join(encode_record(record) for record in diagnosed.ended.records if record.__struct_config__.tag == "saved")
    (found,) = [each for each in diagnosed.diagnoses if each.code == "intermediate-saved"]
    assert len(found.evidence) == 2
    ids = [record.id for record in diagnosed.ended.records]
    assert found.evidence[0] in ids
    assert found.evidence[1].encode() in recorded


def test_what_two_ways_see_is_one_mistake(children: Children) -> None:
    """Syntax sees the change in place, and the probes see its effect."""
    text = function(SAVES, "x, = ctx.saved_tensors\ng.mul_(2)\nreturn x * g", PASS)
    assert [code for code, _ in diagnose(children, text).found] == ["grad-output-mutated"]


def test_a_program_that_raises_is_examined(children: Children) -> None:
    diagnosed = diagnose(children, function(SAVES, WRONG, PASS + "raise ValueError\n"))
    assert diagnosed.ended.error.type == "ValueError"
    assert [code for code, _ in diagnosed.found] == ["wrong-factor"]


def test_a_program_whose_threads_still_run_is_not_probed(children: Children) -> None:
    """The probes hide what is printed and change the random state of the process."""
    text = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n" + function(SAVES, WRONG, PASS)
    diagnosed = diagnose(children, text)
    assert diagnosed.found == []
    assert not [record for record in diagnosed.ended.records if isinstance(record, ExaminedRecord)]


def test_a_program_whose_threads_have_ended_is_probed(children: Children) -> None:
    text = function(SAVES, WRONG, PASS) + "import threading\nthread = threading.Thread(target=print, args=('done',))\nthread.start()\n"
    diagnosed = diagnose(children, text)
    assert diagnosed.ended.stdout.endswith("done\n")
    assert [code for code, _ in diagnosed.found] == ["wrong-factor"]


def test_a_function_that_is_never_called_is_examined_with_guessed_arguments(children: Children) -> None:
    diagnosed = diagnose(children, function(SAVES, WRONG, ""))
    assert [code for code, _ in diagnosed.found] == ["wrong-factor"]
    assert [record.call for record in diagnosed.ended.records if isinstance(record, ExaminedRecord)] == [None]


def test_a_mistake_of_a_replayed_cell_names_its_cell(children: Children) -> None:
    diagnosed = diagnose(children, PASS, function(SAVES, WRONG, ""))
    assert [(each.code, each.span and each.span.cell) for each in diagnosed.diagnoses] == [("wrong-factor", "earlier-0")]


@pytest.mark.parametrize(
    "replaced",
    [
        "torch.autograd.grad = None\ntorch.Tensor.backward = None\n",
        "torch.manual_seed = torch.get_rng_state = lambda *given: None\n",
        "torch.Tensor.clone = torch.zeros_like = lambda *given, **named: None\n",
        "torch.autograd.gradcheck = torch.allclose = lambda *given, **named: True\n",
    ],
)
def test_a_program_that_replaces_functions_of_torch_has_no_fault_of_ours(children: Children, replaced: str) -> None:
    """`diagnose` fails if there is one."""
    assert diagnose(children, function(SAVES, USES, PASS + replaced)).found == []


def test_what_a_function_prints_and_warns_is_shown_once(children: Children) -> None:
    loud = "import warnings; warnings.warn('loud'); print('forward'); " + SAVES
    diagnosed = diagnose(children, function(loud, "print('backward'); " + USES, PASS))
    assert (diagnosed.ended.stdout.count("forward"), diagnosed.ended.stdout.count("backward")) == (1, 1)
    assert diagnosed.ended.stderr.count("UserWarning") == 1


def test_an_output_without_a_derivative_that_is_not_marked_is_a_hint(children: Children) -> None:
    forward = "mask = (x > 1).double(); ctx.save_for_backward(mask); {}; return x * mask, mask"
    text = function(forward.format("pass"), "mask, = ctx.saved_tensors; return g * mask", "y, mask = F.apply(x)\ny.sum().backward()\n")
    text = text.replace("backward(ctx, g)", "backward(ctx, g, _)")
    diagnosed = diagnose(children, text)
    assert [(each.code, each.values) for each in diagnosed.diagnoses] == [("output-not-marked", {"function": "F", "output": 1})]
    assert diagnosed.underlined == ["mask"]
    marked = text.replace("pass;", "ctx.mark_non_differentiable(mask);")
    assert diagnose(children, marked).diagnoses == []


SAME = ["a square", "a sinh that is wrong", "a backward that changes what it received", "hooks on saved tensors", "gradients with strides"]


@pytest.mark.parametrize("name", SAME)
def test_a_diagnosed_program_does_what_a_traced_one_does(children: Children, name: str) -> None:
    traced, diagnosed = (
        children.run_program(Program(source=Source(text=PROGRAMS[name]), instruments=instruments))
        for instruments in (["trace"], ["trace", "doctor"])
    )
    assert ADDRESS.sub("", diagnosed.stdout) == ADDRESS.sub("", traced.stdout)
    assert ADDRESS.sub("", diagnosed.stderr) == ADDRESS.sub("", traced.stderr)
    assert diagnosed.over == traced.over
    of_others = [record for record in diagnosed.records if record.__struct_config__.tag not in ("diagnosis", "examined")]
    assert [encode_record(record) for record in of_others] == [encode_record(record) for record in traced.records]
