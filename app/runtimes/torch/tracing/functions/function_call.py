"""One call of a learner's Function, and what it saved. Runs in the child."""

import time
import weakref
from typing import Any

import torch

from app.protocol.records.record import Span
from app.protocol.records.saved import SAVED_TENSORS, SavedRecord
from app.runtimes.plain_text import NAME_CHARACTERS, plain
from app.runtimes.positions import Sources
from app.runtimes.torch.identities import IDENTITIES, sequence_of
from app.runtimes.torch.tensors import is_tensor
from app.runtimes.torch.tracing.functions.saving_places import SavingPlaces
from app.runtimes.torch.tracing.functions.stored_tensor import How, StoredTensor, role_of
from app.runtimes.torch.tracing.functions.tensor_search import attribute_values, tensors_outside
from app.runtimes.torch.tracing.node_names import Name

_to_save_of = torch._C._FunctionBase.__dict__["to_save"].__get__
true_name = type.__dict__["__name__"].__get__


class FunctionCall:
    """One call. `arguments`: copies with which it can be repeated; None if there are none.

    `makers`: for each argument, the leaf that it is or the node that made it. `span`: where `apply` was called. `seconds`: how long the
    call took until all that it saves was saved.
    """

    def __init__(self, function: Any, arguments: tuple[Any, ...] | None, makers: list[Name | None], span: Span | None, number: int) -> None:
        self.function, self.arguments, self.makers, self.span, self.number = function, arguments, makers, span, number
        self.stored: list[StoredTensor] = []
        self.node: str | None = None
        self.sequence: int | None = None
        self.backward_ran = False
        self.backward_recorded = False  # it ran with create_graph
        self.seconds = 0.0
        self._began = time.monotonic()
        self._hooked = False
        self._returned: list[weakref.ref[Any] | None] = []
        self._ctx: weakref.ref[Any] | None = None

    def look(self, ctx: Any, names: dict[int, str], inputs: list[torch.Tensor], outputs: list[torch.Tensor]) -> None:
        """Read from `ctx` what `forward` saved. `names`: the local variables of `forward`, by the identity of the tensor."""
        self.seconds = time.monotonic() - self._began
        self._hooked = torch._C._autograd._top_saved_tensors_default_hooks(True) is not None
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

    def backward_began(self) -> None:
        self.backward_ran = True
        self.backward_recorded = torch.is_grad_enabled()
        for each in self.stored:
            each.look_again()

    def backward_returned(self, grads: Any) -> None:
        self._returned = [weakref.ref(grad) if is_tensor(grad) else None for grad in (grads if type(grads) is tuple else (grads,))]

    def returned_ids(self, place: int) -> list[str]:
        """Return a list with the id of the gradient that `backward` last returned for this argument; empty if that no longer exists."""
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
            function=plain(true_name(self.function), NAME_CHARACTERS),
            number=self.number,
            of=of,
            backward_ran=self.backward_ran,
            saved=saved,
            hooked=self._hooked,
            bytes=sum({each.storage[0]: each.bytes for each in self.stored if each.storage and each.how != "closure"}.values()),
        )
