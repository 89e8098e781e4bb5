"""The message of a gradcheck or gradgradcheck that fails: the entry that differs most, and the two Jacobians."""

import msgspec
import pytest
import torch

from app.grading.submission_answer import list_facts
from app.grading.words import word
from app.protocol.grading import Message, Rubric
from app.protocol.run import Lang
from app.runtimes.torch.grading.checks.mismatch import find_mismatch
from tests.runtimes.torch.grading.loopback import grade

MIXED = """
import torch


class Mixed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scale, x, y):
        ctx.save_for_backward(x, y)
        ctx.scale = scale
        return x.sum(), scale * x * y

    @staticmethod
    def backward(ctx, ones, grad):
        x, y = ctx.saved_tensors
        return None, ones + ctx.scale * grad * y, ctx.scale * grad * x
"""
ARGUMENTS = "[2.0, torch.tensor([[1.0, 2.0]]).double().requires_grad_(), torch.tensor([[3.0, -4.0]]).double().requires_grad_()]"


def message_of(program: str, method: str) -> Message:
    checks = f"import torch\nfrom gradroom import Subject, check\nmixed = Subject('Mixed', lambda: {ARGUMENTS})\n"
    checks += f"@check\ndef it():\n    mixed.{method}()\n"
    [result] = grade(program, Rubric(checks=checks, solution=MIXED)).checks
    assert result.message is not None
    return result.message


def as_kept(message: Message) -> Message:
    """Return the message as it is stored: without Jacobians."""
    return msgspec.structs.replace(message, gradcheck=None)


FIRST = {
    "en": "gradcheck of Mixed: in the derivative of the output with respect to the input 2 of 4 entries differ, "
    "most of all that of output 2[0, 1] with respect to input 3[0, 1].",
    "zh-Hans": "对 Mixed 运行 gradcheck：输出对输入的导数有 4 个元素，其中 2 个不一致，相差最大的是输出 2[0, 1] 对输入 3[0, 1] 的那一个。",
}


@pytest.mark.parametrize("lang", FIRST)
def test_gradcheck_tells_the_entry_that_differs_most(lang: Lang) -> None:
    wrong = MIXED.replace("ctx.scale * grad * x\n", "-ctx.scale * grad * x\n")
    message = message_of(wrong, "gradcheck")
    assert word(message, lang) == FIRST[lang]
    assert [fact.value for fact in list_facts(message, lang)] == ["2, [[1, 2]], [[3, -4]]"]  # the Jacobians show the others
    assert [fact.value for fact in list_facts(as_kept(message), lang)] == ["2, [[1, 2]], [[3, -4]]", "4", "-4"]


def test_both_jacobians_are_told() -> None:
    message = message_of(MIXED.replace("ctx.scale * grad * x\n", "-ctx.scale * grad * x\n"), "gradcheck")
    assert message.gradcheck is not None
    assert (message.gradcheck.order, message.gradcheck.passed) == (1, False)
    (pair,) = message.gradcheck.pairs
    assert (pair.output, pair.input, pair.shape, pair.failing) == (1, 1, (2, 2), 2)
    assert pair.analytical == [[-2.0, 0.0], [0.0, -4.0]]
    assert (pair.input_shape, pair.output_shape, pair.finding) == ([1, 2], [1, 2], "factor")


def test_the_jacobians_are_called_what_the_task_calls_the_arguments() -> None:
    first = message_of(MIXED.replace("ctx.scale * grad * x\n", "-ctx.scale * grad * x\n"), "gradcheck").gradcheck
    assert first is not None and first.title == "gradcheck(Mixed)"
    assert (first.pairs[0].input_name, first.pairs[0].output_name) == ("y", None)
    second = message_of(MIXED.replace("* grad * y", "* grad * y.detach()"), "gradgradcheck").gradcheck
    assert second is not None and second.title == "gradgradcheck(Mixed)"
    assert (second.pairs[0].input_name, second.pairs[0].output_name) == ("y", "grad_x")
    incoming = message_of(MIXED.replace("* grad * y", "* grad.detach() * y"), "gradgradcheck").gradcheck
    assert incoming is not None
    assert (incoming.pairs[0].input_name, incoming.pairs[0].output_name) == ("grad_output_1", "grad_x")


def test_a_tensor_without_axes_has_no_index_and_rounding_is_no_value() -> None:
    message = message_of(MIXED.replace("None, ones +", "None, 0 * ones +"), "gradcheck")
    assert message.code == "gradcheck-mismatch"
    assert (message.values["output"], message.values["input"]) == ("1", "2[0, 0]")
    assert (message.values["numerical"], message.values["analytical"], message.values["failing"]) == ("1", "0", "2")
    message = message_of(MIXED.replace("* grad * y", "* grad.sum() * y"), "gradcheck")
    assert (message.values["output"], message.values["input"]) == ("2[0, 0]", "2[0, 1]")
    assert (message.values["numerical"], message.values["analytical"]) == ("0", "-8")


def test_gradgradcheck_tells_which_gradient_is_differentiated_with_respect_to_what() -> None:
    of_inputs = message_of(MIXED.replace("* grad * y", "* grad * y.detach()"), "gradgradcheck")
    assert of_inputs.code == "gradgradcheck-mismatch"
    assert of_inputs.values["output"].startswith("2[0, ") and of_inputs.values["input"].startswith("3[0, ")
    assert (of_inputs.values["analytical"], of_inputs.values["failing"], of_inputs.values["total"]) == ("0", "2", "4")
    of_incoming = message_of(MIXED.replace("* grad * y", "* grad.detach() * y"), "gradgradcheck")
    assert of_incoming.code == "gradgradcheck-incoming"
    assert word(of_incoming, "en").endswith(
        "most of all that of the gradient of input 2[0, 1] with respect to the incoming gradient of output 2[0, 1]."
    )
    facts = {fact.title: fact.value for fact in list_facts(as_kept(of_incoming), "en")}
    assert (facts["numerically"], facts["from autograd"]) == ("-8", "0")


def test_a_gradient_that_is_not_there_leaves_the_words_of_pytorch() -> None:
    """gradgradcheck leaves None out and counts the others, so a gradient's position no longer says whose it is."""
    message = message_of(
        MIXED.replace("return None, ones + ctx.scale * grad * y,", "return None, None,").replace("grad * x", "grad * x.detach()"),
        "gradgradcheck",
    )
    assert message.code == "gradgradcheck"
    assert message.values["said"] == "Jacobian mismatch for output 0 with respect to input 0"


def test_what_is_not_a_mismatch_has_no_entry() -> None:
    x = torch.ones(2, dtype=torch.double, requires_grad=True)
    with pytest.raises(RuntimeError, match="expected to be zero") as raised:
        torch.autograd.gradcheck(lambda x: 2 * x.detach(), [x])
    assert find_mismatch(raised.value, [x], 1) is None
