"""Answers requests of another process about functions in this one. Runs in both children of a submission.

In the learner's process the functions are the learner's. In the grader's they are candidates that a learner's check judges. The check may
learn nothing of a candidate but its values. Functions of libraries are looked up at import, in the zygote, before a learner can replace
them.
"""

import builtins
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import msgspec
import torch

from app.protocol.calls import (
    ARGUMENTS,
    CALLS,
    SAVED,
    TENSORS_BYTES,
    Call,
    Called,
    Define,
    Fetch,
    Fetched,
    Pull,
    Raised,
    Reply,
    Report,
    Reported,
    Request,
    TensorData,
    Used,
)
from app.protocol.calls import Sequence as SequenceData
from app.protocol.calls import Value as ValueData
from app.runtimes.failure import lacks_memory, message_of, read_field
from app.runtimes.plain_text import LABEL_CHARACTERS, NAME_CHARACTERS, plain, type_name
from app.runtimes.positions import Sources
from app.runtimes.torch.calls.autograd_use import AutogradUse
from app.runtimes.torch.calls.given_names import GIVEN_NAMES
from app.runtimes.torch.calls.local_graph import LocalGraph, call_function, pull_through
from app.runtimes.torch.calls.saved_tensors import saved_by
from app.runtimes.torch.calls.tensor_data import decode_tensor, decode_value, encode_tensor, encode_value, is_plain_tensor

_Function, _enable_grad, _no_grad = torch.autograd.Function, torch.enable_grad, torch.no_grad
_requests, _encoder = msgspec.msgpack.Decoder(Request), msgspec.msgpack.Encoder()
_encode = _encoder.encode
_UNREADABLE = Raised(type="ValueError", message="this is not a request that is answered here")
# encoded now, because later there may be too little memory
_UNKNOWN = _encode(Raised(type="Exception", message=""))
_OUT_OF_MEMORY = _encode(Raised(type="MemoryError", message="", out_of_memory=True))
_EXCEPTIONS = {
    kind: name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and kind.__name__ == name
}
_mro = type.__dict__["__mro__"].__get__


class CallServer:
    """Answers requests about what `namespace` defines.

    If a request raises, the reply has the error's message and its line in `sources`; without `sources`, only the error's type. If `only` is
    not None, only the function of this name can be called and differentiated. All other requests are refused.
    """

    def __init__(self, namespace: Mapping[str, Any], sources: Sources | None = None, *, only: str | None = None) -> None:
        self._namespace = namespace
        self._sources = sources
        self._only = only
        self._given: dict[str, Any] = {}
        self._graphs: OrderedDict[int, LocalGraph] = OrderedDict()
        self._calls = 0

    def answer(self, request: bytes) -> bytes:
        """Return the reply as msgpack. If anything is raised, the reply describes it."""
        try:
            return _encode(self._answer(_requests.decode(request)))
        except msgspec.DecodeError:
            return _encode(_UNREADABLE)
        except BaseException as error:
            try:
                return _encode(self.raised(error))
            except BaseException as second:
                return _OUT_OF_MEMORY if MemoryError in map(type, (error, second)) else _UNKNOWN

    def raised(self, error: BaseException) -> Raised:
        bases = [_EXCEPTIONS[kind] for kind in _mro(type(error)) if kind in _EXCEPTIONS][:16]
        if self._sources is None:
            return Raised(type=bases[0] if bases else "Exception", message="", bases=bases)
        frames = self._sources.traceback(read_field(BaseException, "__traceback__", error))
        last = next((frame for frame in reversed(frames) if frame.cell is None), frames[-1] if frames else None)
        return Raised(
            type=type_name(error),
            message=plain(message_of(error), LABEL_CHARACTERS),
            bases=bases,
            line=last.line if last else None,
            cell=last.cell if last else None,
            out_of_memory=lacks_memory(error, frames),
        )

    def _answer(self, request: Any) -> Reply:
        match request:
            case Call() if self._only in (None, request.function):
                return self._call(request)
            case Pull():
                return self._pull(request)
            case Fetch() if self._only is None:
                return Fetched(value=encode_value(self.find(request.name)))
            case Define() if self._only is None:
                given = {**self._namespace, **GIVEN_NAMES}
                exec(compile(request.source, "<given>", "exec"), given)
                self._given.update({name: given[name] for name in request.names})
                return Fetched(value=encode_value(None))
            case Report() if self._only is None:
                return Reported(saved=saved_by(self._graph(request.of).outputs)[:SAVED])
            case _:
                return _UNREADABLE

    def find(self, name: str) -> Any:
        """Return what a dotted name stands for. Raises NameError or AttributeError."""
        first, *rest = name.split(".")
        if first not in self._namespace:
            raise NameError(f"name '{plain(first, NAME_CHARACTERS)}' is not defined")
        return reduce(getattr, rest, self._namespace[first])

    def find_function(self, name: str) -> Callable[..., Any]:
        """Return the function of this name; for a Function class, its `apply`."""
        found = self.find_class(name)
        function: Callable[..., Any] = (self._given[name] if name in self._given else self.find(name)) if found is None else found.apply
        return function

    def find_class(self, name: str) -> Any:
        """Return the Function class of this name; None if it is something else."""
        found = self._given[name] if name in self._given else self.find(name)
        return found if issubclass(type(found), type) and issubclass(found, _Function) else None

    def _call(self, request: Call) -> Called:
        for number in request.done:
            self._graphs.pop(number, None)
        function = self.find_function(request.function)
        decoded = _Arguments()
        args = [decode_value(value, decoded.decode) for value in request.args]
        kwargs = {name: decode_value(value, decoded.decode) for name, value in request.kwargs.items()}
        with AutogradUse(request.watch) as use:
            graph = call_function(
                function,
                args,
                kwargs,
                decoded.leaves,
                siblings=request.siblings,
                arguments=decoded.given if request.arguments else None,
            )
        after = [encode_tensor(value) if is_plain_tensor(value) else None for value in decoded.tensors[:ARGUMENTS]]
        return self._store(graph, after, use.found())

    def _pull(self, request: Pull) -> Called:
        grads = [
            None if grad is None else decode_tensor(grad, as_laid_out=True).requires_grad_(grad.requires_grad) for grad in request.grads
        ]
        with AutogradUse(request.watch) as use:
            graph = pull_through(self._graph(request.of), grads, keep=request.keep, whole=request.whole)
        return self._store(graph, [], use.found(pulls=1 + request.whole))

    def _graph(self, number: int) -> LocalGraph:
        graph = self._graphs.get(number)
        if graph is None:
            raise LookupError(f"call {number} is not known any more")
        return graph

    def _store(self, graph: LocalGraph, after: list[TensorData | None], used: Used | None) -> Called:
        if len(graph.outputs) > 2 * ARGUMENTS:
            raise ValueError(f"{len(graph.outputs)} outputs are too many to be compared")
        outputs: list[ValueData | None] = [encode_value(output) for output in graph.outputs]
        if sum(map(_bytes_of, [*outputs, *after])) > TENSORS_BYTES:
            raise ValueError("the outputs are too large to be compared")
        self._calls += 1
        self._graphs[self._calls] = graph
        if len(self._graphs) > CALLS:
            self._graphs.popitem(last=False)
        return Called(id=self._calls, outputs=outputs, after=after, is_sequence=graph.is_sequence, used=used)


class _Arguments:
    """The tensor arguments of one call.

    `tensors` has all of them, `given` those that require grad. For each tensor in `given`, `leaves` has the leaf that it was made from,
    which may be the tensor itself.
    """

    def __init__(self) -> None:
        self.tensors: list[torch.Tensor] = []
        self.given: list[torch.Tensor] = []
        self.leaves: list[torch.Tensor] = []

    def decode(self, data: TensorData) -> torch.Tensor:
        with _no_grad():
            tensor = decode_tensor(data, as_laid_out=True)
        if data.requires_grad:
            self.leaves.append(tensor.requires_grad_())
            if not data.leaf:
                with _enable_grad():
                    tensor = tensor.clone()  # keeps the strides unless entries share a place
            self.given.append(tensor)
        self.tensors.append(tensor)
        return tensor


def _bytes_of(value: ValueData | None) -> int:
    match value:
        case TensorData():
            return len(value.data)
        case SequenceData():
            return sum(_bytes_of(item) for item in value.items)
        case _:
            return 0
