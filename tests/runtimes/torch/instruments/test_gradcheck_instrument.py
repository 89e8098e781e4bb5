"""gradcheck and gradgradcheck are recorded, and a program cannot see that."""

import pytest

from app.protocol.run import Source
from app.runtimes.patches.server_paths import without_server_paths
from tests.runtimes.children import Children, pairs_of
from tests.runtimes.functions import CHECKS, CUBE, EXP, LEAF, MISMATCHED, SINH, SINH_BAD, SQUARE


@pytest.mark.parametrize("function", [SQUARE, EXP, SINH, CUBE])
def test_the_functions_of_the_course_pass_both_checks(children: Children, function: str) -> None:
    first, second = children.run(function + LEAF + CHECKS).checks
    assert (first.order, first.passed, first.mode, first.message, first.title) == (1, True, "reverse", None, "gradcheck")
    assert (second.order, second.passed, second.title) == (2, True, "gradgradcheck")
    assert (first.eps, first.atol, first.rtol) == (1e-6, 1e-5, 1e-3)
    assert pairs_of(first) == [(0, 0)]
    assert pairs_of(second) == [(0, 0), (0, 1)]
    for pair in first.pairs + second.pairs:
        assert pair.shape == (9, 9)
        assert pair.failing == 0
        assert isinstance(pair.max_abs_error, float)
        assert pair.max_abs_error < 1e-7


def test_sinh_bad_passes_gradcheck_and_fails_gradgradcheck(children: Children) -> None:
    ended = children.run(SINH_BAD + LEAF + CHECKS)
    first, second = ended.checks
    assert (first.passed, second.passed) == (True, False)
    assert second.message is not None
    assert second.message.startswith("Jacobian mismatch for output 0 with respect to input 0")
    assert pairs_of(second) == [(0, 0), (0, 1)]
    by_x, by_grad_output = second.pairs
    assert (by_x.failing, by_grad_output.failing) == (9, 0)
    assert by_x.analytical == [[0.0] * 9] * 9
    assert by_x.numerical is not None
    assert by_x.numerical[0][0] != 0.0
    assert (ended.over.ending, ended.error.type, ended.error.line) == ("raised", "GradcheckError", 14)
    assert ended.error.message == second.message


UNTOUCHED = """
import os, random, sys, traceback, warnings, numpy
from torch.autograd import gradcheck, gradgradcheck
warnings.simplefilter("default")
calls = 0
def noisy(*inputs):
    global calls
    calls += 1
    random.random(), numpy.random.rand(), torch.rand(1)
    if calls % 3 == 0:
        warnings.warn("seen")
    if calls < 4:
        print("called", [tensor.requires_grad for tensor in inputs])
    return function(*inputs)
for check in (gradcheck, gradgradcheck):
    for raise_exception in (True, False):
        try:
            print(check(noisy, inputs, raise_exception=raise_exception))
        except Exception as error:
            traceback.print_exc(file=sys.stdout)
            print(type(error), error.args, error.__context__, error.__cause__)
        warnings.warn("seen")
        print(random.random(), numpy.random.rand(), torch.rand(1).item())
        print([(tensor.grad, tensor.requires_grad, tensor._version, tensor.tolist()) for tensor in inputs])
"""


@pytest.mark.parametrize(
    "program",
    [
        MISMATCHED + "function, inputs = Mismatched.apply, (x, w)\n",
        SINH_BAD + LEAF + "inputs = (x,)\n",
        SINH + LEAF + "inputs = (x,)\n",
        "import torch\nfunction, inputs = torch.relu, (torch.zeros(2, requires_grad=True),)\n",
        "import torch\nfunction, inputs = (lambda x: x + x.nothing), (torch.zeros(2, requires_grad=True, dtype=torch.double),)\n",
    ],
)
def test_nothing_that_the_learner_can_see_changes(children: Children, bare_children: Children, program: str) -> None:
    observed, bare = children.run(program + UNTOUCHED), bare_children.run(program + UNTOUCHED)
    assert len(observed.checks) == 4
    assert observed.stdout == bare.stdout
    assert observed.stderr == without_server_paths(bare.stderr)


def test_what_is_computed_afterwards_prints_nothing(children: Children) -> None:
    ended = children.run(
        MISMATCHED
        + "import os, sys\n"
        + "def noisy(x, w):\n"
        + "    if afterwards(): print('seen'), os.write(1, b'seen'), sys.stderr.write('seen')\n"
        + "    return Mismatched.apply(x, w)\n"
        + "def afterwards():\n"
        + "    return any('complete' == frame.name for frame in __import__('traceback').extract_stack())\n"
        + "torch.autograd.gradcheck(noisy, (x, w), raise_exception=False);"
    )
    assert len(ended.checks[0].pairs) == 6
    assert (ended.stdout, ended.stderr) == ("", "")


def test_nothing_that_another_thread_prints_is_lost(children: Children) -> None:
    ended = children.run(
        MISMATCHED
        + "import os, threading\n"
        + "goes_on, before, done = threading.Event(), threading.Event(), threading.Event()\n"
        + "def count():\n"
        + "    for number in range(1000):\n"
        + "        print(number); os.write(1, b'raw\\n')\n"
        + "        before.set(), goes_on.wait()\n"
        + "    done.set()\n"
        + "calls = 0\n"
        + "def lets_the_other_print(x, w):\n"
        + "    global calls\n"
        + "    calls += 1\n"
        + "    if calls > 9: goes_on.set(), done.wait()\n"  # PyTorch's own are nine
        + "    return Mismatched.apply(x, w)\n"
        + "threading.Thread(target=count).start()\n"
        + "before.wait()\n"
        + "torch.autograd.gradcheck(lets_the_other_print, (x, w), raise_exception=False);\n"
        + "goes_on.set()"
    )
    assert [line for line in ended.stdout.split() if line != "raw"] == [str(number) for number in range(1000)]
    assert ended.stdout.count("raw") == 1000
    assert pairs_of(ended.checks[0]) == [(0, 0), (0, 1)]


@pytest.mark.parametrize(
    "call",
    [
        "from torch.autograd import gradcheck\ngradcheck(function, x);",
        "import torch\ntorch.autograd.gradcheck(func=function, inputs=x);",
        "import sys\nsys.modules['torch.autograd.gradcheck'].gradcheck(function, [x]);",
        "import torch\ntorch.autograd.gradcheck.__wrapped__;torch.autograd.gradcheck(function, (x,), eps=1e-4);",
    ],
)
def test_every_name_of_gradcheck_is_observed_once_at_its_line(children: Children, call: str) -> None:
    ended = children.run(SQUARE + LEAF + call)
    (check,) = ended.checks
    assert check.passed
    assert check.span.line == 15


def test_a_check_called_inside_a_checked_function_belongs_to_the_outer_call(children: Children) -> None:
    ended = children.run(
        SQUARE
        + LEAF
        + "def nosy(x):\n"
        + "    torch.autograd.gradcheck(function, torch.ones(1, requires_grad=True, dtype=torch.double))\n"
        + "    return function(x)\n"
        + CHECKS.replace("function", "nosy")
    )
    assert [(check.order, pairs_of(check)) for check in ended.checks] == [(1, [(0, 0)]), (2, [(0, 0), (0, 1)])]
    assert all(pair.shape == (9, 9) for check in ended.checks for pair in check.pairs)


def test_an_error_of_the_learners_function_is_the_message_of_the_check(children: Children) -> None:
    ended = children.run(
        "import torch\ntorch.autograd.gradcheck(lambda x: x.nothing, torch.ones(1, requires_grad=True, dtype=torch.double))"
    )
    (check,) = ended.checks
    assert (check.passed, check.message, check.pairs) == (False, "'Tensor' object has no attribute 'nothing'", [])
    assert [frame.function for frame in ended.error.traceback] == ["<module>", "<lambda>"]


def test_a_call_that_pytorch_refuses_shows_nothing(children: Children) -> None:
    ended = children.run("import torch\ntorch.autograd.gradcheck()")
    assert (ended.records, ended.error.type) == ([], "TypeError")


def test_a_check_in_a_replayed_cell_is_not_shown(children: Children) -> None:
    ended = children.run("1 + 1", Source(text=SINH_BAD + LEAF + CHECKS, cell="sinh-bad", raises="GradcheckError"), cell="next")
    assert [record.span.line for record in ended.records] == [1]
    assert ended.over.ending == "finished"


def test_checks_in_threads_are_all_shown(children: Children) -> None:
    ended = children.run(
        SINH
        + LEAF
        + "import threading\n"
        + "def check(): torch.autograd.gradcheck(function, x.detach().clone().requires_grad_())\n"
        + "threads = [threading.Thread(target=check) for _ in range(3)]\n"
        + "[thread.start() for thread in threads];"
    )
    assert [check.passed for check in ended.checks] == [True] * 3
