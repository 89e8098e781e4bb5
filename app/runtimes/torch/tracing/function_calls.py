"""The calls of the learner's Functions: what each saved for its backward, how, and under which name. Runs in the child.

Function.apply calls `forward`, and then `setup_context` if there is one; the trace function sees their frames begin and end. A local
variable of `forward` that is the saved tensor names it.
"""

import dis
import weakref
from collections import Counter
from collections.abc import Callable, Container, Iterator
from types import FrameType
from typing import Any, Literal

import torch

from app.protocol.records.record import Span
from app.protocol.records.saved import SAVED_TENSORS, SavedRecord, SavedTensor
from app.runtimes.plain_text import NAME_CHARACTERS, plain
from app.runtimes.positions import Sources
from app.runtimes.torch.identities import IDENTITIES, is_custom, sequence_of
from app.runtimes.torch.tensors import dtype_of, is_tensor, read_field, shape_of
from app.runtimes.torch.tracing.backward_passes import is_of_gradcheck
from app.runtimes.torch.tracing.node_names import Name, maker_of
from app.runtimes.torch.tracing.observed import copy_of, storage_of
from app.runtimes.torch.tracing.saving_places import SavingPlaces, attribute_of

CALLS = 64  # that are recorded
REPEATED = 3  # calls of each Function whose arguments are copied, so that they can be run again
COPIED_BYTES = 32 * 1024 * 1024  # of all arguments that are copied

BACKWARD = torch.autograd.function.BackwardCFunction.apply.__code__
APPLY = torch.autograd.Function.apply.__func__.__code__  # type: ignore[attr-defined]
_to_save_of = torch._C._FunctionBase.__dict__["to_save"].__get__
_raw_saved_of = torch._C._FunctionBase.__dict__["_raw_saved_tensors"].__get__
_true_name = type.__dict__["__name__"].__get__
_PLAIN = (int, float, complex, bool, str, bytes, type(None), torch.dtype, torch.device, torch.Size)
How = Literal["save_for_backward", "ctx_attribute", "closure"]
Role = Literal["input", "output", "intermediate", "other"]


class StoredTensor:
    """A tensor as it was when a Function saved it. It keeps no tensor alive. `key`: its index in save_for_backward, or its attribute's
    name.
    """

    def __init__(self, tensor: torch.Tensor, key: int | str, name: str | None, how: How, role: Role) -> None:
        self._tensor = weakref.ref(tensor)
        self.key, self.name, self.how, self.role = key, name, how, role
        self.shape, self.dtype = shape_of(tensor), dtype_of(tensor)
        self.storage = storage_of(tensor)
        self.version: int = read_field(tensor, "_version")

    @property
    def bytes(self) -> int:
        return self.storage[1] if self.storage else 0

    def record(self, storages: dict[int, int], ctx: Any, places: SavingPlaces) -> SavedTensor:
        """`storages`: the number of each storage by its address. `ctx`: None if it no longer exists."""
        tensor = self._tensor()
        place = None if self.how == "closure" else places.find(self.key)
        text = place.text if place and self.how == "save_for_backward" else ""
        return SavedTensor(
            tensor=IDENTITIES.fresh("s") if tensor is None else IDENTITIES.tensor(tensor),
            name=plain(self.name or text or f"saved_tensors[{self.key}]", NAME_CHARACTERS),
            how=self.how,
            role=self.role,
            shape=self.shape,
            dtype=self.dtype,
            bytes=self.bytes,
            storage=storages.setdefault(self.storage[0], len(storages) + 1) if self.storage else 0,
            version=self.version,
            version_now=None if tensor is None else read_field(tensor, "_version"),
            retained_after_backward=self.how == "closure" or (tensor is not None and self._is_stored(ctx)),
            in_cycle=self.how == "ctx_attribute" and tensor is not None and ctx is not None and is_made_by(tensor, ctx),
            span=place.span if place else None,
        )

    def _is_stored(self, ctx: Any) -> bool:
        if ctx is None:
            return False
        if self.how == "ctx_attribute":
            return attribute_of(str(self.key)) in vars(ctx)
        try:
            return len(_raw_saved_of(ctx)) > 0
        except RuntimeError:  # freed by backward
            return False


class FunctionCall:
    """One call. `arguments`: copies to run it again with, None where there are none. `makers`: of each argument the leaf that it is, or
    the node that made it. `span`: of the `apply`.
    """

    def __init__(self, function: Any, arguments: tuple[Any, ...] | None, makers: list[Name | None], span: Span | None, number: int) -> None:
        self.function, self.arguments, self.makers, self.span, self.number = function, arguments, makers, span, number
        self.stored: list[StoredTensor] = []
        self.node: str | None = None
        self.sequence: int | None = None
        self.backward_ran = False
        self._returned: list[weakref.ref[Any] | None] = []
        self._ctx: weakref.ref[Any] | None = None

    def look(self, ctx: Any, names: dict[int, str], inputs: list[torch.Tensor], outputs: list[torch.Tensor]) -> None:
        """`ctx` has what `forward` saved. `names`: those of the local variables of `forward`, by the identity of the tensor."""
        self._ctx = weakref.ref(ctx)
        self.sequence, self.node = sequence_of(ctx), IDENTITIES.node(ctx)

        def add(tensor: Any, key: int | str, name: str | None, how: How) -> None:
            if is_tensor(tensor) and len(self.stored) < SAVED_TENSORS:
                self.stored.append(StoredTensor(tensor, key, name, how, "other" if how == "closure" else role_of(tensor, inputs, outputs)))

        for index, tensor in enumerate(_to_save_of(ctx) or ()):
            add(tensor, index, names.get(id(tensor)), "save_for_backward")
        for key, tensor in attribute_values(ctx):
            add(tensor, key, f"ctx.{key}", "ctx_attribute")
        for name, tensor in tensors_outside(self.function):
            add(tensor, name, name, "closure")

    def backward_returned(self, grads: Any) -> None:
        self._returned = [weakref.ref(grad) if is_tensor(grad) else None for grad in (grads if type(grads) is tuple else (grads,))]

    def returned_ids(self, place: int) -> list[str]:
        """The id of the gradient that `backward` returned last for this argument, if it still exists."""
        reference = self._returned[place] if place < len(self._returned) else None
        tensor = reference() if reference else None
        return [] if tensor is None else [IDENTITIES.tensor(tensor)]

    def record(self, sources: Sources, of: int) -> SavedRecord:
        ctx, places = self._ctx() if self._ctx else None, SavingPlaces(sources, self.function)
        storages: dict[int, int] = {}
        saved = [each.record(storages, ctx, places) for each in self.stored]
        return SavedRecord(
            call=IDENTITIES.fresh("call"),
            node=self.node,
            function=plain(_true_name(self.function), NAME_CHARACTERS),
            number=self.number,
            of=of,
            backward_ran=self.backward_ran,
            saved=saved,
            bytes=sum({each.storage[0]: each.bytes for each in self.stored if each.storage}.values()),
        )


class FunctionCalls:
    """The first `CALLS` calls of the Functions that a learner's cells define; of those in gradcheck only a Function's first, if it has no
    other before.
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.calls: list[FunctionCall] = []
        self._counts: Counter[Any] = Counter()
        self._current: dict[int, tuple[FunctionCall, dict[int, str]]] = {}  # by the frame of `apply`; with names of local variables
        self._by_sequence: dict[int, FunctionCall] = {}
        self._copied_bytes = 0
        self._unseen = 0

    def enter(self, apply: FrameType, span: Span | None) -> None:
        """`apply` calls `forward`, or `setup_context` after that."""
        function = apply.f_locals.get("cls")
        if id(apply) in self._current or function is None or (function in self._counts and is_of_gradcheck(apply)):
            return
        self._counts[function] += 1
        if len(self.calls) < CALLS:
            arguments = apply.f_locals.get("args", ())
            copies = self._copy(arguments) if self._counts[function] <= REPEATED else None
            self._current[id(apply)] = FunctionCall(function, copies, list(map(maker_of, arguments)), span, self._counts[function]), {}

    def leave(self, frame: FrameType, apply: FrameType, value: Any) -> None:
        """`forward` or `setup_context` has returned `value`, or raised."""
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
        """What follows is to be seen; the calls until now are not, though what they saved may be in a graph that is."""
        self._unseen = len(self.calls)

    def in_apply(self, _: FrameType) -> Callable[[FrameType, Any, bool], None]:
        """`Function.apply` begins. Return what to call as its frame ends."""
        return lambda apply, *_: self._current.pop(id(apply), None) and None

    def in_backward(self, frame: FrameType) -> Callable[[FrameType, Any, bool], None] | None:
        """The node of a Function begins to run its backward. Return what to call as its frame ends."""
        ctx = frame.f_locals.get("self")
        number = sequence_of(ctx) if is_custom(ctx) else None
        call = None if number is None else self._by_sequence.get(number)
        if call is None:
            return None
        call.backward_ran = True
        return lambda _, grads, __: call.backward_returned(grads)

    def _copy(self, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Copies of tensors, and plain values as they are; None where one is neither, or they are too large."""
        size = sum(storage[1] for each in arguments if is_tensor(each) and (storage := storage_of(each)))
        if self._copied_bytes + size > COPIED_BYTES or not all(is_tensor(each) or type(each) in _PLAIN for each in arguments):
            return None
        self._copied_bytes += size
        copies = tuple(copy_of(each) if is_tensor(each) else each for each in arguments)
        return None if any(copy is None and is_tensor(each) for copy, each in zip(copies, arguments, strict=True)) else copies

    def records(self) -> Iterator[tuple[FunctionCall, SavedRecord, bool]]:
        """Each call, its record, and whether it is to be seen."""
        for place, call in enumerate(self.calls):
            yield call, call.record(self._sources, self._counts[call.function]), place >= self._unseen


def is_made_by(tensor: torch.Tensor, ctx: Any) -> bool:
    try:
        return read_field(tensor, "grad_fn") is ctx
    except RuntimeError:  # a view that was written to where PyTorch forbids it
        return False


def role_of(tensor: torch.Tensor, inputs: list[torch.Tensor], outputs: list[torch.Tensor]) -> Role:
    """Compared by identity, then by storage: a view of an input is that input."""
    roles: tuple[tuple[Role, list[torch.Tensor]], ...] = (("input", inputs), ("output", outputs))
    for role, tensors in roles:
        if any(each is tensor for each in tensors):
            return role
    storage = storage_of(tensor)
    for role, tensors in roles:
        if storage and storage[1] and any(storage_of(each) == storage for each in tensors):
            return role
    return "intermediate"


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """The tensors in a tensor, a tuple or a list."""
    for each in value if type(value) in (tuple, list) else (value,):
        if is_tensor(each):
            yield each


def attribute_values(ctx: Any, without: Container[str] = ()) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors among the attributes of a ctx, each with how it is written after `ctx.`."""
    for name, value in list(vars(ctx).items()):
        if name not in without:
            yield from tensors_under(name, value)


def tensors_under(name: str, value: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors of an attribute, and in it if it is a list, tuple or dict, each with how it is written."""
    if is_tensor(value):
        yield name, value
    elif type(value) in (list, tuple):
        yield from ((f"{name}[{index}]", each) for index, each in enumerate(value) if is_tensor(each))
    elif type(value) is dict:
        yield from ((f"{name}[{key!r}]", each) for key, each in value.items() if type(key) in (str, int) and is_tensor(each))


def tensors_outside(function: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors from outside of a Function that its methods use by name, each once."""
    found: dict[str, torch.Tensor] = {}
    for method in (function.__dict__.get("forward"), function.__dict__.get("backward")):
        inner = getattr(method, "__func__", method)
        code = getattr(inner, "__code__", None)
        if code is None:
            continue
        for name, cell in zip(code.co_freevars, inner.__closure__ or (), strict=False):
            if is_tensor(value := contents_of(cell)):
                found.setdefault(name, value)
        for instruction in dis.get_instructions(code):
            if instruction.opname == "LOAD_GLOBAL" and is_tensor(value := inner.__globals__.get(instruction.argval)):
                found.setdefault(instruction.argval, value)
    yield from found.items()


def contents_of(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # empty yet
        return None


def box_id(function: str, key: int | str) -> str:
    """The id of the node that stands for a saved tensor. `key`: its index in save_for_backward, or how its attribute is written."""
    return f"{function}-{''.join(each if each.isascii() and each.isalnum() else '_' for each in str(key))}"[:80]
