"""The calls of the learner's Functions, as a trace function sees them. Runs in the child.

Function.apply calls `forward`, and then `setup_context` if there is one. The trace function sees their frames begin and end. The local
variables of `forward` give the saved tensors their names.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType
from typing import Any, NamedTuple

import torch

from app.protocol.records.record import Span
from app.protocol.records.saved import SavedRecord
from app.runtimes.positions import Sources
from app.runtimes.torch.identities import is_custom, sequence_of
from app.runtimes.torch.tensors import is_tensor
from app.runtimes.torch.tracing.functions.function_call import FunctionCall
from app.runtimes.torch.tracing.functions.tensor_search import tensors_in
from app.runtimes.torch.tracing.node_names import maker_of
from app.runtimes.torch.tracing.observed import copy_of, storage_of
from app.runtimes.torch.tracing.passes.backward_passes import is_of_gradcheck

CALLS = 64  # the most calls that are recorded
REPEATED = 3  # so many calls of each Function have their arguments copied, so that they can be repeated
COPIED_BYTES = 32 * 1024 * 1024  # the most bytes of all copied arguments

BACKWARD = torch.autograd.function.BackwardCFunction.apply.__code__
APPLY = torch.autograd.Function.apply.__func__.__code__  # type: ignore[attr-defined]
_PLAIN = (int, float, complex, bool, str, bytes, type(None), torch.dtype, torch.device, torch.Size, torch.memory_format, torch.layout)
_USED = (Enum, FunctionType, BuiltinFunctionType, MethodType, partial, torch.Generator, torch.nn.Module)
_MOST_ENTRIES = 64  # the most entries of a list or dict among the arguments


class TracedCall(NamedTuple):
    """A call, its record, and whether the record is to be shown. Only a record that is shown has an id."""

    call: FunctionCall
    record: SavedRecord
    is_seen: bool


class FunctionCalls:
    """The first `CALLS` calls of the Functions that a learner's cells define.

    A call within gradcheck counts only if it is the first of its Function.
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.calls: list[FunctionCall] = []
        self._counts: Counter[Any] = Counter()
        self._current: dict[int, tuple[FunctionCall, dict[int, str]]] = {}  # by frame of `apply`; with names of local variables
        self._by_sequence: dict[int, FunctionCall] = {}
        self._copied_bytes = 0
        self._unseen = 0

    def enter(self, apply: FrameType, span: Span | None) -> None:
        """Begin a call. `apply` has just called `forward`, or, in a later call of this method, `setup_context`."""
        function = apply.f_locals.get("cls")
        if id(apply) in self._current or function is None or (function in self._counts and is_of_gradcheck(apply)):
            return
        self._counts[function] += 1
        if len(self.calls) < CALLS:
            arguments = apply.f_locals.get("args", ())
            copies = self._copy(arguments) if self._counts[function] <= REPEATED else None
            self._current[id(apply)] = FunctionCall(function, copies, list(map(maker_of, arguments)), span, self._counts[function]), {}

    def leave(self, frame: FrameType, apply: FrameType, value: Any) -> None:
        """Read what was saved, because `forward` or `setup_context` has returned `value` or has raised."""
        call, names = self._current.get(id(apply), (None, {}))
        if call is None:
            return
        variables = frame.f_locals
        names |= {id(each): name for name, each in variables.items() if is_tensor(each)}
        own = [variables.get(name) for name in frame.f_code.co_varnames[: frame.f_code.co_argcount]]
        if own and is_custom(own[0]):  # only then is there something saved: `forward` without ctx comes before `setup_context`
            outputs = own[2] if frame.f_code.co_name == "setup_context" and len(own) > 2 else value
            call.look(own[0], names, list(tensors_in(apply.f_locals.get("args", ()))), list(tensors_in(outputs)))
            if call not in self.calls:
                self.calls.append(call)
            if call.sequence is not None:
                self._by_sequence[call.sequence] = call

    def forget(self) -> None:
        """Show none of the calls until now. A graph that is shown may still contain tensors that they saved."""
        self._unseen = len(self.calls)

    def in_apply(self, _: FrameType) -> Callable[[FrameType, Any, bool], None]:
        """Observe a frame of `Function.apply` that begins. Return the function to call when it ends."""
        return lambda apply, *_: self._current.pop(id(apply), None) and None

    def in_backward(self, frame: FrameType) -> Callable[[FrameType, Any, bool], None] | None:
        """Observe the node of a Function that begins to run its backward. Return the function to call when its frame ends."""
        ctx = frame.f_locals.get("self")
        number = sequence_of(ctx) if is_custom(ctx) else None
        call = None if number is None else self._by_sequence.get(number)
        if call is None:
            return None
        if not call.backward_ran:
            call.backward_began()
        return lambda _, grads, __: call.backward_returned(grads)

    def _copy(self, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return the arguments with copies of the tensors.

        Return None if an argument cannot be used again, or the copies would be too large.
        """
        size = sum(storage[1] for each in arguments if is_tensor(each) and (storage := storage_of(each)))
        if self._copied_bytes + size > COPIED_BYTES or not all(is_tensor(each) or can_be_used_again(each) for each in arguments):
            return None
        self._copied_bytes += size
        copies = tuple(copy_of(each) if is_tensor(each) else each for each in arguments)
        return None if any(copy is None and is_tensor(each) for copy, each in zip(copies, arguments, strict=True)) else copies

    def records(self) -> Iterator[TracedCall]:
        """Yield each call and its record."""
        for place, call in enumerate(self.calls):
            yield TracedCall(call, call.record(self._sources, self._counts[call.function]), place >= self._unseen)


def can_be_used_again(value: Any) -> bool:
    """Return whether a value is a plain value, a callable, or a small list, tuple or dict of these."""
    if type(value) in (tuple, list, dict):
        values = value.values() if type(value) is dict else value
        return len(value) <= _MOST_ENTRIES and all(type(each) in _PLAIN or isinstance(each, _USED) for each in values)
    return type(value) in _PLAIN or isinstance(value, _USED)
