"""A tensor that a learner's Function saved for its backward. Runs in the child."""

import weakref
from typing import Any, Literal

import torch

from app.protocol.records.saved import SavedTensor
from app.runtimes.plain_text import NAME_CHARACTERS, plain
from app.runtimes.torch.identities import IDENTITIES
from app.runtimes.torch.tensors import dtype_of, grad_fn_of, read_field, shape_of
from app.runtimes.torch.tracing.functions.saving_places import SavingPlaces, attribute_of
from app.runtimes.torch.tracing.observed import checksum_of, storage_of

_raw_saved_of = torch._C._FunctionBase.__dict__["_raw_saved_tensors"].__get__
How = Literal["save_for_backward", "ctx_attribute", "closure"]
Role = Literal["input", "output", "intermediate", "other"]
Change = Literal["in_place", "data"]


class StoredTensor:
    """A tensor as it was when a Function saved it. This keeps no tensor alive.

    `key`: its index in save_for_backward, or the name of its attribute. `change`: how its entries changed before backward read them; "data"
    if PyTorch did not count the change, as through `.data`.
    """

    def __init__(self, tensor: torch.Tensor, key: int | str, name: str | None, how: How, role: Role) -> None:
        self._tensor = weakref.ref(tensor)
        self.key, self.name, self.how, self.role = key, name, how, role
        self.shape, self.dtype = shape_of(tensor), dtype_of(tensor)
        self.storage = storage_of(tensor)
        self.version: int = read_field(tensor, "_version")
        self.requires_grad: bool = read_field(tensor, "requires_grad")
        self.change: Change | None = None
        self._checksum = None if how == "closure" else checksum_of(tensor)

    def look_again(self) -> None:
        """Find out whether the entries are still what was saved. Call it when backward begins."""
        tensor = self._tensor()
        if self.change is None and tensor is not None and self._checksum is not None and checksum_of(tensor) != self._checksum:
            self.change = "data" if read_field(tensor, "_version") == self.version else "in_place"

    @property
    def bytes(self) -> int:
        return self.storage[1] if self.storage else 0

    def record(self, storages: dict[int, int], ctx: Any, places: SavingPlaces) -> SavedTensor:
        """Return the record. `storages`: the number of each storage by its address. `ctx`: None if it no longer exists."""
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
            in_cycle=self.how == "ctx_attribute" and tensor is not None and ctx is not None and grad_fn_of(tensor) is ctx,
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


def role_of(tensor: torch.Tensor, inputs: list[torch.Tensor], outputs: list[torch.Tensor]) -> Role:
    """Return what a saved tensor is to the Function. A view of an input counts as that input."""
    roles: tuple[tuple[Role, list[torch.Tensor]], ...] = (("input", inputs), ("output", outputs))
    for role, tensors in roles:
        if any(each is tensor for each in tensors):
            return role
    storage = storage_of(tensor)
    for role, tensors in roles:
        if storage and storage[1] and any(storage_of(each) == storage for each in tensors):
            return role
    return "intermediate"


def box_id(function: str, key: int | str) -> str:
    """Return the id of the node for a saved tensor. `key`: its index in save_for_backward, or its attribute as it is written."""
    return f"{function}-{''.join(each if each.isascii() and each.isalnum() else '_' for each in str(key))}"[:80]
