"""One call of gradcheck or gradgradcheck: its verdict, and the Jacobians that it compared."""

from typing import Annotated, Literal

import msgspec

from app.protocol.number import Entry, Matrix, Real
from app.protocol.records.record import Count, Label, Record, Text

JACOBIAN_ENTRIES = 4096  # of a larger one, only the worst are shown
WORST = 20
PAIRS = 256

Index = Annotated[int, msgspec.Meta(ge=0, lt=65_536)]


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

    output: Index
    input: Index
    output_name: Label | None = None
    input_name: Label | None = None
    shape: tuple[Count, Count]
    numerical: Matrix | None = None
    analytical: Matrix | None = None
    worst: Annotated[list[WorstEntry], msgspec.Meta(max_length=WORST)] | None = None
    max_abs_error: Real | None = None
    max_rel_error: Real | None = None
    failing: Count = 0
    cause: Label | None = None


class Gradcheck(Record, kw_only=True):
    """All of a check but its pairs."""

    order: Literal[1, 2]
    mode: Literal["reverse", "forward", "fast"]
    passed: bool | None
    message: Text | None = None
    eps: Real
    atol: Real
    rtol: Real

    @property
    def name(self) -> str:
        check = "gradcheck" if self.order == 1 else "gradgradcheck"
        return f"{check} {'empty' if self.passed is None else 'passed' if self.passed else 'failed'}"


class GradcheckRecord(Gradcheck, tag="gradcheck", kw_only=True):
    """`order`: 1 for gradcheck, 2 for gradgradcheck. `passed`: null when nothing was compared. `message`: PyTorch's own, when it failed.

    The runner derives `passed`, and of each pair `failing` and both errors (app.protocol.records.judgement).
    """

    pairs: Annotated[list[JacobianPair], msgspec.Meta(max_length=PAIRS)] = []


class ClaimedGradcheck(Gradcheck, tag="gradcheck", kw_only=True):
    """What a child says of a check: the JSON of each pair is decoded, judged and encoded by itself, as all of them can be much."""

    pairs: Annotated[list[msgspec.Raw], msgspec.Meta(max_length=PAIRS)] = []
