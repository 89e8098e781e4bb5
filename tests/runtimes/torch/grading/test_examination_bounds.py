"""An examination with too many checks, or with none, is not passed."""

import pytest

from app.protocol.grading import CHECKS, Rubric
from tests.runtimes.torch.grading.loopback import grade

RIGHT = """
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
"""


def test_a_check_beyond_the_cap_is_not_dropped() -> None:
    checks = "from gradroom import check\n" + "".join(f"@check\ndef c{n}():\n    return {n != CHECKS}\n" for n in range(CHECKS + 1))
    with pytest.raises(ValueError, match="more than 64 checks"):
        grade(RIGHT, Rubric(checks=checks))


def test_checks_that_ask_nothing_pass_nobody() -> None:
    verdict = grade(RIGHT, Rubric(checks="import gradroom", functions=["Square"]))
    assert not verdict.passed
