"""Finds the entry at which two Jacobians that gradcheck compared differ most. Runs in the grader's child.

The matrices are read from the frame that raised: the one of `_slow_gradcheck` (torch 2.13, autograd/gradcheck.py). It compared output `i`
with input `j`. Both numbers count only tensors that require grad.
"""

from collections.abc import Sequence
from traceback import walk_tb
from typing import Any, Literal

import numpy
import torch

from app.protocol.records.gradcheck import GradcheckRecord
from app.runtimes.instruments.jacobian import errors, jacobian_pair, most_different
from app.runtimes.torch.grading.checks.agreement import list_differentiable
from app.runtimes.torch.grading.not_passed import values_apart
from app.runtimes.torch.instruments.comparison import checks
from app.runtimes.torch.tensors import array_of

_NOISE = 1e-7  # a numerical derivative that should be zero may be as large; a hundredth of gradcheck's tolerance


def find_mismatch(
    error: Exception, arguments: Sequence[Any], order: Literal[1, 2], names: Sequence[str | None] = ()
) -> tuple[dict[str, str], GradcheckRecord] | None:
    """Return the values of a message about the entry that differs most, and a record of the two Jacobians.

    Returns None if the error is about something else. `names` are those of the arguments, None where one is not known.

    In the values, `output` and `input` are positions, counted from 1, each with the index of the entry. In order 2, gradients are
    differentiated: then `output` is the input to which the gradient belongs. If the derivative is with respect to an incoming gradient,
    `incoming` replaces `input`: it is the output to which the incoming gradient belongs.
    """
    *_, (frame, _) = walk_tb(error.__traceback__)
    if type(error) is not checks.GradcheckError or frame.f_code.co_name != "_slow_gradcheck":
        return None
    compared: Any = frame.f_locals
    outputs, inputs, places = compared["func_out"], compared["tupled_inputs"], list_differentiable(arguments)
    if compared["use_forward_ad"] or (order == 2 and len(outputs) != len(places)):  # an input has no gradient, and it is not known which
        return None
    numerical, analytical = compared["n"].detach(), compared["a"].detach()
    arrays = array_of(numerical), array_of(analytical)
    worst = most_different(errors(*arrays), arrays[0])
    expected, got = values_apart(*(_without_noise(matrix[worst]) for matrix in (numerical, analytical)))
    output, given = list_differentiable(outputs)[compared["i"]], list_differentiable(inputs)[compared["j"]]
    by, of = inputs[given - 1], outputs[output - 1]
    row, column = (_index(entry, value) for entry, value in zip(worst, (by, of), strict=True))
    incoming = given - len(arguments)
    pair = jacobian_pair((compared["i"], compared["j"]), *arrays, compared["atol"], compared["rtol"], by.shape, of.shape)
    called = [*(names or [None] * len(arguments)), *_incoming_names(len(inputs) - len(arguments))]
    pair.input_name = called[given - 1]
    if order == 2 and (gradient_of := called[places[output - 1] - 1]):
        pair.output_name = f"grad_{gradient_of}"
    values = {
        "output": f"{places[output - 1] if order == 2 else output}{column}",
        **({"incoming": f"{incoming}{row}"} if incoming > 0 else {"input": f"{given}{row}"}),
        "numerical": expected,
        "analytical": got,
        "failing": str(pair.failing),
        "total": str(numerical.numel()),
    }
    settings = {name: compared[name] for name in ("eps", "atol", "rtol")}
    return values, GradcheckRecord(id="gradcheck", order=order, mode="reverse", passed=False, pairs=[pair], **settings)


def _incoming_names(count: int) -> list[str]:
    """Return the names of `count` incoming gradients, the same as in the records of a learner's own gradient checks."""
    return ["grad_output"] if count == 1 else [f"grad_output_{index}" for index in range(count)]


def _index(flat: int, value: torch.Tensor) -> str:
    """Return the index of an entry as text, such as "[0, 1]"; an empty string for a tensor without axes."""
    return str([int(part) for part in numpy.unravel_index(flat, value.shape)]) if value.dim() else ""


def _without_noise(entry: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(entry) if entry.abs() < _NOISE else entry
