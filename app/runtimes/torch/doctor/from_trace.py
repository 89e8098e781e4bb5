"""Finds mistakes in the traced calls of Functions. Runs in the child."""

from collections.abc import Iterator

from app.pitfalls.finding import Value
from app.protocol.records.saved import SavedTensor
from app.runtimes.positions import Sources
from app.runtimes.torch.doctor.found import Found, name_in
from app.runtimes.torch.tracing.functions.cut_watch import is_once_differentiable
from app.runtimes.torch.tracing.functions.function_calls import TracedCall
from app.runtimes.torch.tracing.functions.saving_places import attribute_of, decorator_span
from app.runtimes.torch.tracing.functions.stored_tensor import StoredTensor
from app.runtimes.torch.tracing.traced_program import TracedProgram

_WARNINGS = {  # parts of PyTorch's warnings
    "non-leaf-grad": "attribute of a Tensor that is not a leaf Tensor is being accessed",
    "create-graph-backward": "Using backward() with create_graph=True will create a reference cycle",
    "float32-gradcheck": "requires gradient and is not a double precision floating point or complex",
    "saved-variables": "'saved_variables' is deprecated",
}
LARGE_BYTES = 16_384  # the least size of a tensor that is worth freeing; the state of a random generator is smaller


def find_in_trace(program: TracedProgram, sources: Sources) -> Iterator[Found]:
    """Yield the mistakes that the trace of a program shows."""
    for traced in program.calls:
        yield from find_in_call(traced)
    if program.differentiates_twice:
        recorded = {each.call.function: each for each in program.calls if each.call.backward_recorded}
        once = {function: each for function, each in recorded.items() if is_once_differentiable(function.backward)}
        for function, traced in once.items():
            decorator = decorator_span(sources, function, "backward", "once_differentiable")
            yield Found("once-differentiable", decorator, {"function": traced.record.function})
    for message, span in program.warnings:
        yield from (Found(code, span) for code, words in _WARNINGS.items() if words in message)
    if program.adding:
        yield Found("grad-accumulated", program.adding[0], {"count": len(program.adding) + 1})


def find_in_call(traced: TracedCall) -> Iterator[Found]:
    """Yield the mistakes that the trace of one call shows."""
    yield from _intermediates(traced)
    for stored, saved in zip(traced.call.stored, traced.record.saved, strict=True):
        if code := _mistake_of(stored, saved, backward_ran=traced.record.backward_ran):
            values = {"function": traced.record.function, "name": _name_of(stored, saved)}
            yield Found(code, saved.span, values, evidence=_evidence(traced, saved))


def _mistake_of(stored: StoredTensor, saved: SavedTensor, *, backward_ran: bool) -> str | None:
    if stored.change == "data":
        return "data-mutated"
    if stored.change == "in_place" and stored.how == "ctx_attribute":
        return "ctx-input-mutated" if saved.role == "input" else "ctx-value-changed"
    if saved.in_cycle:
        return "output-on-ctx"
    is_kept = stored.how == "ctx_attribute" and backward_ran and saved.retained_after_backward
    return "kept-after-backward" if is_kept and saved.bytes >= LARGE_BYTES and saved.role != "input" else None


def _intermediates(traced: TracedCall) -> Iterator[Found]:
    """Yield a mistake for each saved tensor that lacks a path."""
    by_name = {saved.name: (stored, saved) for stored, saved in zip(traced.call.stored, traced.record.saved, strict=True)}
    for name, (stored, saved) in by_name.items():
        path = next((each for each in traced.record.missing if each.saved == name), None)
        if path is None:
            continue
        values: dict[str, Value] = {
            "function": traced.record.function,
            "name": _name_of(stored, saved),
            "source": path.source,
            "gradient": path.gradient_of,
            "line": path.used.line if path.used else (saved.span.line if saved.span else 0),
        }
        yield Found("intermediate-saved", saved.span, values, evidence=_evidence(traced, saved))


def _name_of(stored: StoredTensor, saved: SavedTensor) -> str:
    if stored.how == "ctx_attribute":
        return name_in(f"ctx.{attribute_of(str(stored.key))}", "ctx")
    return name_in(saved.name, "ctx.saved_tensors")


def _evidence(traced: TracedCall, saved: SavedTensor) -> list[str]:
    return [traced.record.id, saved.tensor] if traced.record.id else []
