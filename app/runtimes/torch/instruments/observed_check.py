"""An observed call of gradcheck or gradgradcheck, and its record. Runs in the child."""

from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from app.protocol.number import encode_real
from app.protocol.records.gradcheck import PAIRS, GradcheckRecord
from app.runtimes.instruments.argument_names import argument_names
from app.runtimes.silence import is_only_thread
from app.runtimes.torch.instruments.comparison import Comparison, Mode, real_part_of
from app.runtimes.torch.instruments.forward_names import forward_names

Order = Literal[1, 2]


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
