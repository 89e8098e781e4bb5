"""An observed call of gradcheck or gradgradcheck, its comparisons, and its record. Runs in the child.

A comparison has the Jacobians of all outputs by all inputs, in one mode. gradcheck makes one for the reverse mode and one for the forward
mode. For complex outputs (in forward mode, inputs) it makes two, the imaginary parts first. Indices are PyTorch's: they count outputs that
are differentiable, and inputs that require grad.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
import torch.autograd.gradcheck

from app.protocol.number import encode_real
from app.protocol.records.gradcheck import PAIRS, GradcheckRecord, JacobianPair
from app.runtimes.instruments.argument_names import argument_names
from app.runtimes.instruments.jacobian import jacobian_pair
from app.runtimes.silence import is_only_thread, unseen
from app.runtimes.torch.instruments.forward_names import forward_names
from app.runtimes.torch.tensors import array_of

checks: Any = sys.modules["torch.autograd.gradcheck"]

COMPLETION_SECONDS = 1.0

Mode = Literal["reverse", "forward", "fast"]
Part = Literal["real", "imaginary"]
Order = Literal[1, 2]
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


@dataclass(slots=True)
class ObservedCheck:
    """One outermost call of gradcheck (order 1) or gradgradcheck (order 2)."""

    order: Order
    function: Any
    inputs: tuple[Any, ...]
    options: dict[str, Any]
    comparisons: list[Comparison] = field(default_factory=list)
    compared: Any = None  # the function that PyTorch compares: for order 2 the gradient of `function`
    began: bool = False  # whether PyTorch has begun to compare
    message: str | None = None
    mismatched: bool = False
    abandoned: bool = False

    def complete(self) -> None:
        """Compute the Jacobians that are missing because the check stopped at a mismatch.

        Does nothing while other threads run, because what they print meanwhile would be lost.
        """
        if not is_only_thread():
            return
        last = self.comparisons[-1]
        last.complete()
        if last.part == "imaginary":
            self.comparisons += real_part_of(last, self.compared, float(self.options["eps"]))

    def record(self) -> GradcheckRecord:
        shown = self._shown()
        mode: Mode = shown[0].mode if shown else ("fast" if self.options["fast_mode"] else "reverse")
        eps, atol, rtol = (encode_real(float(self.options[name])) for name in ("eps", "atol", "rtol"))
        record = GradcheckRecord(
            title="gradcheck" if self.order == 1 else "gradgradcheck",
            order=self.order,
            mode=mode,
            passed=self.message is None,
            message=self.message,
            eps=eps,
            atol=atol,
            rtol=rtol,
        )
        for comparison in shown:
            self._add_pairs(record, comparison)
        return record

    def _shown(self) -> list[Comparison]:
        """Return the comparisons of the mode that failed, or those of the first mode if none failed."""
        if not self.comparisons:
            return []
        mode = self.comparisons[-1 if self.message is not None else 0].mode
        return [comparison for comparison in self.comparisons if comparison.mode == mode]

    def _add_pairs(self, record: GradcheckRecord, comparison: Comparison) -> None:
        names = self._input_names()
        for pair in comparison.pairs(float(self.options["atol"]), float(self.options["rtol"])):
            if len(record.pairs) == PAIRS:
                return
            pair.input_name = names[pair.input] if pair.input < len(names) else None
            pair.output_name = self._output_name(comparison, pair.output, names)
            record.pairs.append(pair)

    def _input_names(self) -> list[str | None]:
        """Return the names of the inputs that require grad, followed in gradgradcheck by those of the incoming gradients."""
        named = zip(argument_names(self.function, len(self.inputs), forward_names), self.inputs, strict=True)
        names = [name for name, value in named if torch.is_tensor(value) and value.requires_grad]
        if self.order == 2 and self.comparisons:
            incoming = len(self.comparisons[0].inputs) - len(self.inputs)
            names += ["grad_output"] if incoming == 1 else [f"grad_output_{index}" for index in range(incoming)]
        return names

    def _output_name(self, comparison: Comparison, output: int, names: list[str | None]) -> str | None:
        """Return the name of an output. In gradgradcheck, outputs are gradients. That of a complex output says which part was compared."""
        returned, name = comparison.returned_index(output), None
        inputs = sum(torch.is_tensor(value) and value.requires_grad for value in self.inputs)
        if self.order == 2 and len(comparison.returned) == inputs and names[returned] is not None:
            name = f"grad_{names[returned]}"
        if comparison.part is not None and comparison.mode != "forward" and output in comparison.complex_indices:
            name = f"{name or 'output'}, {comparison.part} part"
        return name
