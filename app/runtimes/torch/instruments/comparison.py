"""A comparison within a gradient check: the Jacobians of all outputs by all inputs, in one mode. Runs in the child.

gradcheck makes one comparison for the reverse mode and one for the forward mode. For complex outputs (in forward mode, inputs) it makes
two, the imaginary parts first. Indices are PyTorch's: they count outputs that are differentiable, and inputs that require grad.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
import torch.autograd.gradcheck

from app.protocol.records.gradcheck import JacobianPair
from app.runtimes.instruments.jacobian import jacobian_pair
from app.runtimes.silence import unseen
from app.runtimes.torch.tensors import array_of

checks: Any = sys.modules["torch.autograd.gradcheck"]

COMPLETION_SECONDS = 1.0

Mode = Literal["reverse", "forward", "fast"]
Part = Literal["real", "imaginary"]
Matrices = dict[tuple[int, int], torch.Tensor]  # by output and input
FastPairs = dict[tuple[int, int], tuple[torch.Tensor, torch.Tensor, Any]]  # numerical, analytical and tolerance, by output and input


@dataclass(slots=True)
class Comparison:
    """What is compared, and the Jacobians recorded so far."""

    function: Callable[..., Any]
    returned: tuple[Any, ...]  # everything the function returned
    inputs: tuple[Any, ...]
    outputs: tuple[torch.Tensor, ...]  # those that require grad
    mode: Mode
    part: Part | None
    complex_indices: list[int]
    numerical_by_input: list[tuple[torch.Tensor, ...]] = field(default_factory=list)
    analytical_by_call: list[tuple[torch.Tensor, ...]] = field(default_factory=list)  # two calls for each output
    analytical_forward: tuple[tuple[torch.Tensor, ...], ...] | None = None  # by input, then output
    fast: FastPairs | None = None
    completed: dict[int, tuple[torch.Tensor, ...]] = field(default_factory=dict)  # analytical by output, computed afterwards

    @property
    def checked_inputs(self) -> list[tuple[int, torch.Tensor]]:
        return [(index, value) for index, value in enumerate(self.inputs) if torch.is_tensor(value) and value.requires_grad]

    @property
    def is_compared_with_zero(self) -> bool:
        """Whether no output is differentiable: then PyTorch expects every numerical derivative to be zero."""
        return not self.outputs and self.mode != "fast"

    def returned_index(self, output: int) -> int:
        """Return the position of a differentiable output among all returned values. `output` counts only differentiable outputs."""
        if self.is_compared_with_zero:
            return output
        return [index for index, value in enumerate(self.returned) if torch.is_tensor(value) and value.requires_grad][output]

    def add_numerical(self, jacobians: tuple[torch.Tensor, ...]) -> None:
        if self.mode != "fast":
            self.numerical_by_input.append(jacobians)

    def add_analytical(self, result: tuple[Any, ...]) -> None:
        if self.mode == "reverse":
            self.analytical_by_call.append(result[0])

    def add_forward(self, jacobians: tuple[tuple[torch.Tensor, ...], ...]) -> None:
        if self.mode == "forward":
            self.analytical_forward = jacobians

    def numerical(self) -> Matrices:
        # PyTorch pairs outputs and Jacobians in the same way (_slow_gradcheck).
        keep = [self.is_compared_with_zero or value.requires_grad for value in self.returned]
        matrices: Matrices = {}
        for of_input, by_output in enumerate(self.numerical_by_input):
            for output, jacobian in enumerate(jacobian for kept, jacobian in zip(keep, by_output, strict=False) if kept):
                matrices[output, of_input] = jacobian
        return matrices

    def analytical(self) -> Matrices:
        if self.is_compared_with_zero:
            return {pair: torch.zeros_like(jacobian) for pair, jacobian in self.numerical().items()}
        if self.analytical_forward is not None:
            return {
                (output, of_input): jacobian for of_input, row in enumerate(self.analytical_forward) for output, jacobian in enumerate(row)
            }
        by_output = {**self.completed, **dict(enumerate(self.analytical_by_call[::2]))}
        return {(output, of_input): jacobian for output, row in by_output.items() for of_input, jacobian in enumerate(row)}

    def complete(self) -> None:
        """Compute the analytical Jacobians that the check did not reach, on clones of the inputs, unseen by the program."""
        first = len(self.analytical_by_call[::2])
        if self.mode != "reverse" or first >= len(self.outputs):
            return
        end = time.monotonic() + COMPLETION_SECONDS
        with unseen(), torch.random.fork_rng(devices=[]):
            inputs = clones(self.inputs)
            outputs = checks._differentiable_outputs(self.function(*inputs))
            for output in range(first, len(self.outputs)):
                if time.monotonic() > end:
                    return
                self.completed[output] = checks._check_analytical_jacobian_attributes(inputs, outputs[output], float("inf"), False)

    def pairs(self, atol: float, rtol: float) -> Iterator[JacobianPair]:
        """Yield each pair of Jacobians, numerical and analytical, if both are known."""
        if self.fast is not None:
            yield from self._fast_pairs(self.fast, rtol)
            return
        analytical = self.analytical()
        inputs, outputs = self.checked_inputs, self.outputs
        if self.is_compared_with_zero:
            atol = rtol = 0.0
            outputs = self.returned
        for (output, of_input), numerical in sorted(self.numerical().items(), key=lambda item: item[0]):
            match = analytical.get((output, of_input))
            if match is not None and match.shape == numerical.shape:
                shapes = inputs[of_input][1].shape, outputs[output].shape
                yield jacobian_pair((output, of_input), array_of(numerical), array_of(match), atol, rtol, *shapes)

    def _fast_pairs(self, fast: FastPairs, rtol: float) -> Iterator[JacobianPair]:
        inputs = self.checked_inputs
        for (output, of_input), (numerical, analytical, atol) in sorted(fast.items(), key=lambda item: item[0]):
            shapes = inputs[of_input][1].shape, self.outputs[output].shape
            rows, columns = (array_of(value).reshape(1, -1) for value in (numerical, analytical))
            yield jacobian_pair((output, of_input), rows, columns, float(atol), rtol, *shapes, projected=True)


def real_part_of(imaginary: Comparison, function: Callable[..., Any], eps: float) -> list[Comparison]:
    """Compare the real parts of the outputs: a check that failed at the imaginary parts has not reached them.

    Return a list with the comparison. It is empty in other modes than reverse, and if the comparison raises. Uses clones of the inputs,
    unseen by the program.
    """
    found: list[Comparison] = []
    if imaginary.mode != "reverse":
        return found
    with unseen(), torch.random.fork_rng(devices=[]):
        inputs, (real, _) = clones(imaginary.inputs), checks._real_and_imag_output(function)
        returned = checks._as_tuple(real(*inputs))
        outputs = checks._differentiable_outputs(returned)
        comparison = Comparison(real, returned, inputs, outputs, "reverse", "real", imaginary.complex_indices)
        comparison.numerical_by_input = checks._get_numerical_jacobian(real, inputs, returned, eps=eps)
        comparison.complete()
        found.append(comparison)
    return found


def clones(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        value.detach().clone().requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value for value in inputs
    )
