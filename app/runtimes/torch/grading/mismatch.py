"""Where two Jacobians differ most that gradcheck compared. Runs in the grader's child.

gradcheck's message has both matrices whole. What they belong to is read where it raised: in the frame of its own `_slow_gradcheck`
(torch 2.13, autograd/gradcheck.py), which has compared output `i` by input `j`, both counted among those that require grad.
"""

from collections.abc import Sequence
from traceback import walk_tb
from typing import Any, Literal

import numpy
import torch

from app.protocol.records.gradcheck import GradcheckRecord
from app.runtimes.instruments.jacobian import errors, jacobian_pair, most_different
from app.runtimes.torch.grading.agreement import list_differentiable
from app.runtimes.torch.grading.failing import values_apart
from app.runtimes.torch.instruments.comparison import checks
from app.runtimes.torch.tensors import array_of

_NOISE = 1e-7  # a hundredth of gradcheck's tolerance: what differences of values leave of a zero


def find_mismatch(
    error: Exception, arguments: Sequence[Any], order: Literal[1, 2], names: Sequence[str | None] = ()
) -> tuple[dict[str, str], GradcheckRecord] | None:
    """The values of a message about the entry that differs most, and the two Jacobians; None where the error is about something else.

    `names`: of the arguments, as far as they are known.
    The values `output` and `input` are places, counted from 1, with the index of the entry. Of order 2, where gradients are differentiated,
    `output` is the input whose gradient it is, and in place of `input` there may be `incoming`: the output whose incoming gradient it is.
    """
    *_, (frame, _) = walk_tb(error.__traceback__)
    if type(error) is not checks.GradcheckError or frame.f_code.co_name != "_slow_gradcheck":
        return None
    compared: Any = frame.f_locals
    outputs, inputs, places = compared["func_out"], compared["tupled_inputs"], list_differentiable(arguments)
    if compared["use_forward_ad"] or (order == 2 and len(outputs) != len(places)):  # some input has no gradient, and nobody knows which
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
    """As the records of a learner's own checks call them."""
    return ["grad_output"] if count == 1 else [f"grad_output_{index}" for index in range(count)]


def _index(flat: int, value: torch.Tensor) -> str:
    """ "[0, 1]" for an entry in the first row; nothing for the only entry of a tensor without axes."""
    return str([int(part) for part in numpy.unravel_index(flat, value.shape)]) if value.dim() else ""


def _without_noise(entry: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(entry) if entry.abs() < _NOISE else entry
