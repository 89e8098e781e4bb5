"""Prints which causes and lines are found in the faulty Functions: `python -m tests.doctor.causes_table [FILE…]`.

The right gradients come from `forward` itself, recorded by autograd. Faults of second order are left out.
"""

import contextlib
import io
import linecache
import sys
import time
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.autograd import Function
from torch.autograd.function import _SingleLevelFunction

from app.probes.calls.copies import copied, has_gradient, in_double
from app.probes.calls.prepared_call import SEED, ApplyCall, parameter_names
from app.probes.calls.stub_context import StubContext
from app.probes.causes.changed_tensors import find_changed_tensor
from app.probes.causes.find_fault import find_fault
from app.probes.causes.sources import find_parts
from app.probes.causes.trials import GradientTrial, Incoming, Replay, distance, run_forward
from app.probes.causes.twin import Twin
from app.probes.observation import Observation
from app.probes.wrong_gradient import Draw, Entry, WrongGradient

FOLDER = Path(__file__).parent
DRAWS = 6
SECONDS = 2.0
WRONG = 1e-8
CODES = {
    "sign": {"wrong-sign"},
    "factor": {"wrong-factor"},
    "transposed": {"transposed-gradient"},
    "missing-sum": {"missing-sum"},
    "mean-for-sum": {"mean-for-sum"},
    "wrong-order": {"gradients-swapped"},
    "missing-term": {"missing-term"},
    "conjugate-missing": {"conjugate-missing"},
    "accumulation": {"accumulation-lost"},
    "grad-output-ignored": {"ignores-grad-output"},
    "saved-mutated": {"saved-tensor-mutated"},
    "grad-output-mutated": {"grad-output-mutated"},
    "ctx-changed": {"ctx-value-changed"},
    "option-ignored": {"option-ignored-in-backward"},
    "output-gradient-ignored": {"auxiliary-output-unmarked"},
    "needs-input-grad": {"zero-gradient"},
    "wrong-direction": {"wrong-gradient", "wrong-sign"},
    "wrong-step": {"wrong-gradient"},
    "dtype": {"wrong-dtype"},
    "strides-assumed": {"assumes-contiguous"},
}


class ShadowReference:
    """The gradients of `forward`, recorded by autograd on a ctx that is no node."""

    def __init__(self, function: type[Function]) -> None:
        self._function = function

    def __call__(self, arguments: tuple[Any, ...], incoming: Incoming) -> dict[int, torch.Tensor]:
        leaves = tuple(map(copied, arguments))
        given = tuple(each.clone() if has_gradient(each) else each for each in leaves)
        ctx: Any = StubContext(tuple(has_gradient(each) for each in leaves))
        torch.default_generator.manual_seed(SEED)
        with torch.enable_grad():
            has_ctx = self._function.setup_context is _SingleLevelFunction.setup_context
            returned = self._function.forward(ctx, *given) if has_ctx else self._function.forward(*given)
        outputs = returned if isinstance(returned, tuple) else (returned,)
        pairs = [(output, grad) for output, grad in zip(outputs, incoming, strict=True) if grad is not None and has_gradient(output)]
        places = [place for place, each in enumerate(leaves) if has_gradient(each)]
        found = torch.autograd.grad(
            [output for output, _ in pairs], [leaves[place] for place in places], [grad for _, grad in pairs], allow_unused=True
        )
        return {
            place: torch.zeros_like(leaves[place]) if grad is None else grad.detach() for place, grad in zip(places, found, strict=True)
        }


def find_wrong(call: ApplyCall, source: Any) -> list[WrongGradient]:
    """Return the wrong gradients of a call, each with some draws."""
    arguments, reference = tuple(map(in_double, call.arguments)), ShadowReference(call.function)
    twin = Twin(call.function, find_parts(call.function, source))
    draws: dict[int, list[Draw]] = {}
    for seed in range(DRAWS):
        incoming = incoming_of(call, source, seed)
        trial = GradientTrial(arguments, incoming, reference(arguments, incoming))
        outcome = Replay(twin, trial).first
        for place, expected in trial.expected.items():
            draws.setdefault(place, []).append(Draw(incoming, expected, outcome.gradients[place]))
    return [wrong_of(place, found) for place, found in draws.items() if any(distance(each.got, each.expected) > WRONG for each in found)]


def incoming_of(call: ApplyCall, source: Any, seed: int = 0) -> Incoming:
    twin = Twin(call.function, find_parts(call.function, source))
    outputs, ctx = run_forward(twin, tuple(map(in_double, call.arguments)))
    unmarked = [not any(each is other for other in getattr(ctx, "non_differentiable", ())) for each in outputs]
    generator = torch.Generator().manual_seed(seed + 10)
    return tuple(
        torch.randn(each.shape, dtype=each.dtype, generator=generator)
        if marked and (each.is_floating_point() or each.is_complex())
        else None
        for each, marked in zip(outputs, unmarked, strict=True)
    )


def wrong_of(place: int, draws: list[Draw]) -> WrongGradient:
    errors = [(each.got - each.expected).abs() for each in draws]
    shown = max(range(len(draws)), key=lambda index: float(errors[index].max()))
    position = int(errors[shown].argmax())
    index = [int(each) for each in torch.unravel_index(torch.tensor(position), errors[shown].shape)] if errors[shown].dim() else []
    draw = draws[shown]
    values = [float(each.reshape(-1)[position].real) for each in (draw.expected, draw.got)]
    return WrongGradient(place, None, draws, shown, Entry(index, *values))


def variants(call: ApplyCall) -> Iterator[ApplyCall]:
    """Yield the call, then the call with one input at a time that needs a gradient, then with other options."""
    yield call
    needing = [place for place, each in enumerate(call.arguments) if has_gradient(each)]
    for only in needing if len(needing) > 1 else ():
        yield ApplyCall(
            call.function,
            tuple(each.detach().requires_grad_(place == only) if place in needing else each for place, each in enumerate(call.arguments)),
        )
    defaults = call.function.forward.__defaults__ or ()
    names = parameter_names(call.function)
    filled = call.arguments + tuple(
        defaults[len(defaults) - (len(names) - len(call.arguments)) :] if len(names) > len(call.arguments) else ()
    )
    for place, each in enumerate(filled):
        if isinstance(each, float | int):
            other = (not each) if isinstance(each, bool) else each * 1.7 if isinstance(each, float) else each + 1
            yield ApplyCall(call.function, (*filled[:place], other, *filled[place + 1 :]))


def first_fault(call: ApplyCall, source: Any, seconds: float = SECONDS) -> tuple[Observation | None, float] | None:
    """Return what is found about a changed tensor, or about the first wrong gradient, and how long that took.

    Returns None if there is neither.
    """
    began = time.perf_counter()
    changed = None
    with contextlib.suppress(Exception):
        changed = find_changed_tensor(call, incoming_of(call, source), source)
    if changed is not None:
        return changed, time.perf_counter() - began
    for variant in variants(call):
        with contextlib.suppress(Exception):
            dtype = torch.get_default_dtype()
            torch.set_default_dtype(torch.float64)
            try:
                wrong = find_wrong(variant, source)
            finally:
                torch.set_default_dtype(dtype)
            if wrong:
                began = time.perf_counter()
                found = find_fault(variant, wrong[0], ShadowReference(call.function), source, seconds)
                return found, time.perf_counter() - began
    return None


def recorded_calls(path: Path) -> list[ApplyCall]:
    """Run a program and return the first call of each of its Functions."""
    calls: dict[type[Function], ApplyCall] = {}
    original = Function.__dict__["apply"]

    def apply(cls: Any, *arguments: Any, **options: Any) -> Any:
        if cls not in calls and cls.forward.__code__.co_filename == str(path):
            names = parameter_names(cls)[len(arguments) :]
            given = [*arguments, *(options[name] for name in names if name in options)]
            calls[cls] = ApplyCall(
                cls,
                tuple(map(copied, given)),
            )
        return original.__get__(None, cls)(*arguments, **options)

    Function.apply = classmethod(apply)  # type: ignore[assignment,method-assign]
    main = types.ModuleType("__main__")
    before, sys.modules["__main__"] = sys.modules["__main__"], main
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")
            exec(compile(path.read_text(), str(path), "exec"), vars(main))
    finally:
        sys.modules["__main__"] = before
        Function.apply = original  # type: ignore[method-assign]
    return list(calls.values())


class Row(NamedTuple):
    name: str
    fault: str
    line: int
    found: Observation | None
    seconds: float
    is_wrong: bool

    @property
    def has_line(self) -> bool:
        return self.found is not None and self.found.place is not None and self.found.place.line == self.line

    @property
    def has_code(self) -> bool:
        return self.found is not None and self.found.code in CODES.get(self.fault, {self.fault})

    def __str__(self) -> str:
        if not self.is_wrong:
            return f"{self.name:32} {self.fault:24} no gradient is wrong"
        found = self.found
        line = found.place.line if found and found.place else None
        marks = f"{'' if self.has_code else 'CODE '}{'' if self.has_line else 'LINE'}"
        took = f"{self.seconds * 1000:5.0f} ms"
        return f"{self.name:32} {self.fault:24} {self.line:3} {line!s:4} {found.code if found else '':28} {took}  {marks}"


def row_of(path: Path, fault_key: str) -> Row:
    headers = dict(line[2:].split(": ", 1) for line in path.read_text().splitlines()[:6] if line.startswith("# ") and ": " in line)
    read = lambda name: "".join(linecache.getlines(name)) if name == str(path) else None  # noqa: E731
    fault = headers.get(fault_key, "")
    for call in recorded_calls(path):
        found = first_fault(call, read)
        if found is not None:
            return Row(f"{path.parent.name}/{path.stem}", fault, int(headers.get("line", 0)), *found, True)
    return Row(f"{path.parent.name}/{path.stem}", fault, int(headers.get("line", 0)), None, 0.0, False)


def main() -> None:
    given = [Path(name).resolve() for name in sys.argv[1:]]
    faults = given or sorted(path for path in (FOLDER / "functions").glob("*/fault_*.py") if "# order: 1" in path.read_text())
    rows = []
    for path in faults:
        rows.append(row_of(path, "pitfall" if "programs" in path.parts else "fault"))
        print(rows[-1], flush=True)
    wrong = [row for row in rows if row.is_wrong]
    print(f"{len(wrong)} wrong of {len(rows)}: line {sum(row.has_line for row in wrong)}, code {sum(row.has_code for row in wrong)}")
    print(f"seconds: median {sorted(row.seconds for row in wrong)[len(wrong) // 2]:.2f}, most {max(row.seconds for row in wrong):.2f}")


if __name__ == "__main__":
    main()
