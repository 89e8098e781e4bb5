"""The steps of backward passes, against numbers worked out by hand."""

from typing import Any

from app.protocol.records.replay import ReplayRecord, ReplayStep
from app.protocol.run import Program, Source
from tests.runtimes.children import Children
from tests.runtimes.torch.tracing.programs import PROGRAMS, SAVES, function


def passes_of(children: Children, text: str, *replay: str) -> list[ReplayRecord]:
    program = Program(source=Source(text=text), replay=[Source(text=each) for each in replay], instruments=["trace"])
    return [record for record in children.run_program(program).records if isinstance(record, ReplayRecord)]


def values(step: ReplayStep) -> tuple[str, list[Any], list[Any]]:
    """A step as the type of its node, what it received, and what it sent."""
    received = [gradient and gradient.values for gradient in step.received]
    return step.label, received, [sent.gradient and sent.gradient.values for sent in step.sent]


def test_a_sum_of_squares(children: Children) -> None:
    text = "import torch\nx = torch.tensor([3.0, 4.0], requires_grad=True)\ny = ((x + 2) ** 2).sum()\ny.backward()\n"
    (record,) = passes_of(children, text)
    assert (record.call, record.number, record.of, record.raised) == ("backward", 1, 1, False)
    assert record.span is not None
    assert record.span.line == 4
    assert [values(step) for step in record.steps] == [
        ("SumBackward0", [1.0], [[1.0, 1.0]]),
        ("PowBackward0", [[1.0, 1.0]], [[10.0, 12.0]]),
        ("AddBackward0", [[10.0, 12.0]], [[10.0, 12.0], None]),
        ("AccumulateGrad", [[10.0, 12.0]], []),
    ]
    assert record.steps[-1].grad is not None
    assert record.steps[-1].grad.values == [10.0, 12.0]


def test_gradients_that_meet_are_added_in_a_step_of_their_own(children: Children) -> None:
    (record,) = passes_of(children, "import torch\nx = torch.tensor(3.0, requires_grad=True)\na = x * 2\n(a * a + a).backward()\n")
    total = record.steps[2]
    assert total.kind == "sum"
    assert values(total) == ("MulBackward0", [1.0, 6.0, 6.0], [13.0])
    assert total.senders == [record.steps[0].node, record.steps[1].node, record.steps[1].node]
    assert total.node == record.steps[3].node
    assert values(record.steps[3]) == ("MulBackward0", [13.0], [26.0, None])


def test_a_second_backward_accumulates(children: Children) -> None:
    text = "import torch\nx = torch.tensor(3.0, requires_grad=True)\nfor n in (2, 5):\n    (x * n).backward()\n"
    grads = [record.steps[-1].grad for record in passes_of(children, text)]
    assert [grad and grad.values for grad in grads] == [2.0, 7.0]


def test_the_double_backward_of_a_cube(children: Children) -> None:
    text = (
        "import torch\nx = torch.tensor(2.0, requires_grad=True)\ny = x ** 3\n"
        "g, = torch.autograd.grad(y, x, create_graph=True)\nh, = torch.autograd.grad(g, x)\n"
    )
    first, second = passes_of(children, text)
    assert [(result.tensor, result.gradient and result.gradient.values) for result in first.results] == [("t1", 12.0)]
    assert [(result.tensor, result.gradient and result.gradient.values) for result in second.results] == [("t1", 12.0)]  # 6x
    assert not any(step.label == "AccumulateGrad" for step in (*first.steps, *second.steps))


def test_none_is_not_zero(children: Children) -> None:
    text = function("return x * 2", "return None", "F.apply(x * 1).sum().backward()\n")
    (record,) = passes_of(children, text)
    assert values(record.steps[1]) == ("FBackward", [[1.0, 1.0, 1.0]], [None])
    assert values(record.steps[2])[:2] == ("MulBackward0", [None])


def test_the_line_of_a_custom_backward_is_the_one_that_returned(children: Children) -> None:
    text = function(SAVES, "if g.sum() > 0:\n    return g * 2\nreturn g", "F.apply(x).sum().backward()\n")
    step = next(step for step in passes_of(children, text)[0].steps if step.label == "FBackward")
    assert step.span is not None
    assert text.splitlines()[step.span.line - 1].strip() == "return g * 2"


def test_the_node_that_raised_is_the_last_step(children: Children) -> None:
    (record,) = passes_of(children, PROGRAMS["an exception half-way"])
    assert record.raised
    *before, last = record.steps
    assert not any(step.failed for step in before)
    assert (last.failed, last.label, last.sent) == (True, "FBackward", [])
    assert [gradient and gradient.values for gradient in last.received] == [[3.0, 3.0, 3.0]]
    assert last.span is not None


def test_a_returned_buffer_that_changes_later_is_seen_as_it_was(children: Children) -> None:
    records = passes_of(children, PROGRAMS["a returned buffer that changes later"])
    sent = [step.sent[0].gradient for record in records for step in record.steps if step.label == "FBackward" and step.kind == "function"]
    assert [gradient and gradient.values for gradient in sent] == [[4.0, 8.0, 12.0], [8.0, 16.0, 24.0]]


def test_gradients_that_a_backward_changes_are_seen_as_they_arrived(children: Children) -> None:
    (record,) = passes_of(children, PROGRAMS["a backward that changes what it received"])
    assert values(record.steps[0]) == ("FBackward", [[1.0, 1.0, 1.0]], [[3.0, 3.0, 3.0]])


def test_what_hooks_replace_is_seen_as_it_arrives(children: Children) -> None:
    (record,) = passes_of(children, PROGRAMS["hooks that replace gradients"])
    assert values(record.steps[1]) == ("MulBackward0", [[15.0, 15.0]], [[210.0, 210.0], None])


def test_passes_of_other_threads_do_not_mix_with_those_of_the_first(children: Children) -> None:
    (record,) = passes_of(children, PROGRAMS["backward in ten threads"] + "(x * 2).sum().backward()\n")
    assert [step.label for step in record.steps] == ["SumBackward0", "MulBackward0", "AccumulateGrad"]
    assert record.steps[-1].grad is not None
    assert record.steps[-1].grad.values == [102.0] * 4


def test_complex_gradients_are_pairs_and_sparse_ones_have_no_entries(children: Children) -> None:
    (record,) = passes_of(children, PROGRAMS["complex numbers"])
    assert record.steps[-1].grad is not None
    assert record.steps[-1].grad.values == [[2.0, 4.0], [6.0, -2.0]]
    (record,) = passes_of(children, PROGRAMS["sparse gradients"])
    assert record.steps[-1].grad is not None
    assert (record.steps[-1].grad.shape, record.steps[-1].grad.values) == ([5, 2], None)


def test_the_first_three_passes_and_the_last_are_shown(children: Children) -> None:
    records = passes_of(
        children, "import torch\nx = torch.ones(1, requires_grad=True)\nfor _ in range(20):\n    (x * 2).sum().backward()\n"
    )
    assert [(record.number, record.of) for record in records] == [(1, 20), (2, 20), (3, 20), (20, 20)]


def test_passes_of_gradcheck_and_of_replayed_cells_are_not_shown(children: Children) -> None:
    before = "import torch\nx = torch.ones(2, dtype=torch.double, requires_grad=True)\n(x * 2).sum().backward()\n"
    (record,) = passes_of(children, "torch.autograd.gradcheck(torch.sin, x)\n(x * 3).sum().backward()\n", before)
    assert (record.number, record.of) == (1, 1)
    assert record.steps[-1].grad is not None
    assert record.steps[-1].grad.values == [5.0, 5.0]


def test_a_graph_that_is_too_large_says_so(children: Children) -> None:
    text = "import torch\nx = y = torch.ones(1, requires_grad=True)\nfor _ in range(2001):\n    y = y * 1\ny.backward()\n"
    (record,) = passes_of(children, text)
    assert (record.note, record.steps) == ("nodes", [])


def test_large_gradients_have_a_shape_and_no_entries(children: Children) -> None:
    (record,) = passes_of(children, "import torch\nx = torch.ones(20, 20, requires_grad=True)\n(x * 2).sum().backward()\n")
    (received,) = record.steps[-1].received
    assert received is not None
    assert (received.shape, received.values) == ([20, 20], None)
