"""One call of gradcheck or gradgradcheck: its verdict, and the Jacobians that it compared."""

from typing import Annotated, Literal

import msgspec

from app.protocol.number import Entry, Matrix, Real
from app.protocol.records.record import Count, Display, Label, Text

JACOBIAN_ENTRIES = 4096


class WorstEntry(msgspec.Struct):
    """One of the worst entries of a Jacobian too large to be shown: its place and its two values."""

    row: Count
    column: Count
    numerical: Entry
    analytical: Entry


class JacobianPair(msgspec.Struct, kw_only=True):
    """The two Jacobians of one output by one input, each (input_numel, output_numel), as in torch.autograd.gradcheck.

    In fast mode both are 1 × 1: one random projection of them, which is all that is compared.
    """

    output: Count
    input: Count
    output_name: Label | None = None
    input_name: Label | None = None
    shape: tuple[int, int]
    numerical: Matrix | None = None
    analytical: Matrix | None = None
    worst: Annotated[list[WorstEntry], msgspec.Meta(max_length=20)] | None = None
    max_abs_error: Real | None = None
    max_rel_error: Real | None = None
    failing: Count = 0
    cause: Label | None = None


class GradcheckDisplay(Display, tag="gradcheck", kw_only=True):
    """`order`: 1 for gradcheck, 2 for gradgradcheck. `message`: PyTorch's own, when it failed."""

    order: Literal[1, 2]
    mode: Literal["reverse", "forward", "fast"]
    passed: bool
    message: Text | None = None
    eps: Real
    atol: Real
    rtol: Real
    pairs: Annotated[list[JacobianPair], msgspec.Meta(max_length=256)] = []

    @property
    def name(self) -> str:
        check = "gradcheck" if self.order == 1 else "gradgradcheck"
        return f"{check} {'passed' if self.passed else 'failed'}"
