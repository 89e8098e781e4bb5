"""Asks another process for calls and pulls of its functions. Runs in both children of a submission.

A reply may contain anything, so this module checks what its callers rely on: the number of tensors, and their shapes and dtypes.
"""

import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import torch

from app.protocol.calls import CALLS, Call, Called, Pull, Raised, Reply, Request, TensorData, Value
from app.runtimes.torch.calls.tensor_data import decode_tensor, decode_value, encode_tensor, encode_value, strides_of

Ask = Callable[[bytes], bytes]
Layout = Callable[[torch.Tensor], list[int]]  # returns the strides, in entries, that a tensor is to have in the other process
Fit = tuple[torch.Size, torch.dtype]  # the shape and dtype of a gradient

_replies, _encoder = msgspec.msgpack.Decoder(Reply), msgspec.msgpack.Encoder()
Wanted = TypeVar("Wanted", bound=msgspec.Struct)


class RaisedThere(Exception):
    """The function in the other process raised.

    The exceptions that `raising` makes also have the built-in type of the original, so that a program can catch them by this type.
    """

    def __init__(self, raised: Raised) -> None:
        super().__init__(raised.message or raised.type)
        self.raised = raised


_KINDS = {
    kind.__name__: type(kind.__name__, (RaisedThere, kind), {"__module__": "builtins"})
    for kind in (
        ArithmeticError, AssertionError, AttributeError, IndexError, KeyError, LookupError, MemoryError, NameError, NotImplementedError,
        OverflowError, RuntimeError, TypeError, ValueError, ZeroDivisionError,
    )
}  # fmt: skip


def raising(raised: Raised) -> RaisedThere:
    """Return the exception to raise in this process for one that was raised in the other process."""
    kind = next((_KINDS[base] for base in raised.bases if base in _KINDS), RaisedThere)
    error: RaisedThere = kind(raised)
    return error


class UnreadableReply(Exception):
    """The reply cannot be read, or does not match the request. No part of it is used."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class RemoteGraph:
    """A call or pull in the other process, which stores it under `number` for later pulls.

    `inputs` has the shape and dtype of each gradient that a pull returns, None for a position without a gradient. `outputs` are tensors
    without grad, plain values or None. `differentiable` says which outputs have gradients. `after` has the tensor arguments in their
    state after the call. `runs` counts the runs of autograd besides the requested pull; 0 if they were not watched.
    """

    number: int
    inputs: list[Fit | None]
    outputs: list[Any]
    differentiable: list[bool]
    after: list[torch.Tensor | None]
    is_sequence: bool
    runs: int = 0


class Asker:
    """Asks through `ask`, which sends one encoded request and returns the encoded reply. What `ask` raises is passed on."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._lock = threading.RLock()  # a learner's check may call from several threads, but only one question may be open
        self._done: deque[int] = deque(maxlen=CALLS)  # numbers of graphs that were deleted here

    def request(self, request: Request, wanted: type[Wanted]) -> Wanted:
        """Return the reply. Raises RaisedThere if the function raised, and UnreadableReply if the reply is not of the `wanted` type."""
        with self._lock:
            data = self._ask(_encoder.encode(request))
        try:
            reply = _replies.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UnreadableReply(str(error)) from None
        if isinstance(reply, Raised):
            raise raising(reply)
        if not isinstance(reply, wanted):
            raise UnreadableReply(f"a {type(reply).__name__}")
        return reply

    def call(
        self,
        function: str,
        args: Sequence[Any],
        kwargs: dict[str, Any] | None = None,
        *,
        siblings: bool = False,
        arguments: bool = False,
        leaf: bool = True,
        layout: Layout | None = None,
        watch: bool = False,
    ) -> RemoteGraph:
        """Call `function` in the other process. A pull of the result returns gradients of the tensor arguments that require grad.

        In the other process, an argument has the same strides, or those that `layout` returns. It arrives as a leaf if it is one here and
        `leaf` is true. Otherwise it arrives as the result of an operation. app.protocol.calls.Call explains `siblings`, `arguments` and
        `watch`. Raises as `request` does.
        """
        given: list[torch.Tensor] = []

        def encode(value: Any) -> Value:
            if isinstance(value, torch.Tensor):
                given.append(value)
                return _as_argument(value, leaf, layout)
            return encode_value(value)

        def encode_argument(value: Any) -> Value:
            if type(value) in (list, tuple):
                sequence = encode_value([])
                return msgspec.structs.replace(sequence, items=[encode(item) for item in value])
            return encode(value)

        call = Call(
            function=function,
            args=[encode_argument(value) for value in args],
            kwargs={name: encode_argument(value) for name, value in (kwargs or {}).items()},
            siblings=siblings,
            arguments=arguments,
            done=[self._done.popleft() for _ in range(len(self._done))],
            watch=watch,
        )
        inputs = [_fit(value) for value in given if value.requires_grad]
        return self._graph(self.request(call, Called), inputs, given, siblings=siblings, arguments=len(inputs) if arguments else 0)

    def pull(
        self,
        graph: RemoteGraph,
        grads: Sequence[torch.Tensor | None],
        *,
        keep: bool = False,
        whole: bool = False,
        layout: Layout | None = None,
        watch: bool = False,
    ) -> RemoteGraph:
        """Return the gradients of the inputs of `graph` as a new graph. `grads` has one incoming gradient for each output of `graph`.

        The reply must have one gradient for each input of `graph`: None, or a tensor with the input's shape and dtype.
        app.protocol.calls.Pull explains `keep`, `whole` and `watch`. `layout` is as in `call`.
        """
        sent = [None if grad is None else _as_argument(grad, True, layout) for grad in grads]
        reply = self.request(Pull(of=graph.number, grads=sent, keep=keep, whole=whole, watch=watch), Called)
        if len(reply.outputs) != len(graph.inputs):
            raise UnreadableReply(f"{len(reply.outputs)} gradients for {len(graph.inputs)} inputs")
        inputs = [*graph.inputs, *(None if grad is None else _fit(grad) for grad in grads)]
        pulled = self._graph(reply, inputs, [])
        for gradient, expected in zip(pulled.outputs, graph.inputs, strict=True):
            if gradient is None:
                continue
            if expected is None or not isinstance(gradient, torch.Tensor) or _fit(gradient) != expected:
                raise UnreadableReply("a gradient that does not fit its input")
        return pulled

    def _graph(
        self,
        reply: Called,
        inputs: Sequence[Fit | None],
        given: list[torch.Tensor],
        *,
        siblings: bool = False,
        arguments: int = 0,
    ) -> RemoteGraph:
        try:
            outputs = [None if value is None else decode_value(value) for value in reply.outputs]
            after = [None if value is None else decode_tensor(value) for value in reply.after]
        except ValueError as error:
            raise UnreadableReply(str(error)) from None
        differentiable = [isinstance(value, TensorData) and value.requires_grad for value in reply.outputs]
        if any(able and not _is_continuous(output) for able, output in zip(differentiable, outputs, strict=True)):
            raise UnreadableReply("whole numbers that have a gradient")
        own = outputs[: len(outputs) - arguments] if siblings else []
        places = [*inputs, *(_fit(value) if able else None for value, able in zip(own, differentiable, strict=False))]
        if len(after) != len(given):
            raise UnreadableReply(f"{len(after)} arguments after a call with {len(given)}")
        graph = RemoteGraph(reply.id, places, outputs, differentiable, after, reply.is_sequence, reply.used.runs if reply.used else 0)
        weakref.finalize(graph, self._done.append, reply.id).atexit = False
        return graph


def _fit(value: Any) -> Fit:
    return value.shape, value.dtype


def _is_continuous(value: Any) -> bool:
    return bool(value.dtype.is_floating_point or value.dtype.is_complex)


def _as_argument(tensor: torch.Tensor, leaf: bool, layout: Layout | None) -> TensorData:
    data = encode_tensor(tensor)
    strides = strides_of(tensor) if layout is None else layout(tensor)
    leaf = leaf and tensor.is_leaf
    return data if leaf and strides is None else msgspec.structs.replace(data, leaf=leaf, strides=strides)
