"""One call of a custom Function, and the tensors that it saved for its backward."""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Count, Id, Label, Record, Shape, Span

SAVED_TENSORS = 256
MISSING_PATHS = 64
CUTS = 64

CutReason = Literal["detach", "data", "no_grad", "item", "numpy", "once_differentiable"]


class SavedTensor(msgspec.Struct, kw_only=True):
    """A tensor that backward needs. `tensor`: its id, which is the same in the whole run. `name`: what the learner's program calls it.

    `how`: "closure" means that the Function's methods use the tensor but nothing passes it to them. `role`: "other" is neither an input
    nor an output of the Function, nor made from them. `bytes`: the size of its storage. Tensors with the same `storage`, a number from 1,
    share these bytes. `version`, `version_now`: PyTorch's count of the tensor's changes in place, when it was saved and when the program
    ended; None if the tensor no longer existed. `retained_after_backward`: it was still stored when the program ended. `in_cycle`: it
    refers to the node that stores it. `span`: where it was saved.
    """

    tensor: Id
    name: Label
    how: Literal["save_for_backward", "ctx_attribute", "closure"]
    role: Literal["input", "output", "intermediate", "other"]
    shape: Shape | None = None
    dtype: Label | None = None
    bytes: Count = 0
    storage: Count = 0
    version: Count = 0
    version_now: Count | None = None
    retained_after_backward: bool = False
    in_cycle: bool = False
    span: Span | None = None


class MissingPath(msgspec.Struct, kw_only=True):
    """The gradient for `gradient_of` depends on a saved tensor that was computed from an input while nothing was recorded.

    So the second derivative lacks a path. `saved`, `source`, `gradient_of`: the names of the saved tensor, the input, and what the gradient
    is for. `node`: the node that made the input; `target`: the first node of the double backward that used the saved tensor, None if there
    was none. `made`, `used`: where the saved tensor was computed, and where it was used.
    """

    saved: Label
    source: Label
    gradient_of: Label
    node: Id | None = None
    target: Id | None = None
    made: Span | None = None
    used: Span | None = None


class PathCut(msgspec.Struct, kw_only=True):
    """A place in `forward` or `backward` that ends the path of a gradient on purpose, or by mistake."""

    reason: CutReason
    method: Literal["forward", "backward"]
    span: Span | None = None


class SavedRecord(Record, tag="saved", kw_only=True):
    """One call of the Function `function`, the call `number` of `of`.

    `node`: its node in the backward graph, None if it has none. `bytes`: the size of all storages of `saved`. `builtin_bytes`: what
    PyTorch's own operations would have stored for the same; None if that is not known. `backward_ran`: whether the node's backward was
    called. `hooked`: whether hooks on saved tensors were active, as in a checkpoint, so that something else may have been stored.
    `partial`: whether the trace ended before the program; later calls are not counted in `of`.
    """

    call: Id
    node: Id | None = None
    function: Label
    number: Count = 1
    of: Count = 1
    backward_ran: bool = False
    hooked: bool = False
    partial: bool = False
    saved: Annotated[list[SavedTensor], msgspec.Meta(max_length=SAVED_TENSORS)] = []
    bytes: Count = 0
    builtin_bytes: Count | None = None
    missing: Annotated[list[MissingPath], msgspec.Meta(max_length=MISSING_PATHS)] = []
    cuts: Annotated[list[PathCut], msgspec.Meta(max_length=CUTS)] = []

    @property
    def spans(self) -> Iterable[Span | None]:
        yield from (tensor.span for tensor in self.saved)
        yield from (cut.span for cut in self.cuts)
        yield from (span for path in self.missing for span in (path.made, path.used))

    @property
    def introduces(self) -> Iterable[str]:
        yield self.call
        if self.node is not None:
            yield self.node
        yield from (each.tensor for each in self.saved)
        yield from (each for path in self.missing for each in (path.node, path.target) if each is not None)
