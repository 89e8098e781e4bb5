"""One call of gradcheck or gradgradcheck: its verdict, and the Jacobians that it compared."""

from typing import Annotated, Literal

import msgspec

from app.protocol.number import Entry, Matrix, Real
from app.protocol.records.record import Count, Label, Record, Shape, Text

JACOBIAN_ENTRIES = 4096  # a Jacobian with more entries is sent by blocks
JACOBIAN_COLUMNS = 64  # the same of one with more columns, for which no page has room
BLOCKS = 32  # at most, on each axis; as many entries of the worst block are sent
PAIRS = 256

Index = Annotated[int, msgspec.Meta(ge=0, lt=65_536)]
Finding = Literal["agree", "zero", "not-zero", "not-a-number", "factor", "transposed", "differ"]


class BlockEntry(msgspec.Struct, array_like=True):
    """One entry of two Jacobians."""

    row: Count
    column: Count
    numerical: Entry
    analytical: Entry


class Block(msgspec.Struct):
    """All entries of both Jacobians from one row and column on."""

    row: Count
    column: Count
    numerical: Matrix
    analytical: Matrix


class Blocks(msgspec.Struct, kw_only=True):
    """Jacobians of many entries: one entry of each block of `rows` × `columns`, those at the ends smaller.

    `entries`: of each block the entry that differs most; where none differs, the largest. `worst`: of a pair that fails, the block that
    differs most; of one larger than 32 × 32, that part of it.
    """

    rows: Count
    columns: Count
    entries: Annotated[list[Annotated[list[BlockEntry], msgspec.Meta(max_length=BLOCKS)]], msgspec.Meta(max_length=BLOCKS)]
    worst: Block | None = None


class JacobianPair(msgspec.Struct, kw_only=True):
    """The two Jacobians of one output by one input, each (input_numel, output_numel), as in torch.autograd.gradcheck.

    They are there whole, or by `blocks`. `input_shape`, `output_shape`: of the two tensors, whose entries are counted in row-major order.
    `finding`: the plainest thing that is true of all entries; `factor`: how many times the numerical one the analytical one is, if that
    is it. In fast mode both are 1 × 1: one random projection of them, which is all that is compared; then there is no finding.
    """

    output: Index
    input: Index
    output_name: Label | None = None
    input_name: Label | None = None
    output_shape: Shape | None = None
    input_shape: Shape | None = None
    shape: tuple[Count, Count]
    numerical: Matrix | None = None
    analytical: Matrix | None = None
    blocks: Blocks | None = None
    max_abs_error: Real | None = None
    max_rel_error: Real | None = None
    failing: Count = 0
    finding: Finding | None = None
    factor: float | None = None


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

    The runner derives `passed`, and of each pair `failing` and both errors; a finding that the entries contradict becomes "differ"
    (app.protocol.records.judgement).
    """

    pairs: Annotated[list[JacobianPair], msgspec.Meta(max_length=PAIRS)] = []


class ClaimedGradcheck(Gradcheck, tag="gradcheck", kw_only=True):
    """What a child says of a check: the JSON of each pair is decoded, judged and encoded by itself, as all of them can be much."""

    pairs: Annotated[list[msgspec.Raw], msgspec.Meta(max_length=PAIRS)] = []


def is_sent_whole(shape: tuple[int, int]) -> bool:
    rows, columns = shape
    return rows * columns <= min(JACOBIAN_ENTRIES, rows * JACOBIAN_COLUMNS)


def block_lengths(shape: tuple[int, int]) -> tuple[int, int]:
    """How many rows and columns a block has: the smallest power of two with which there are at most `BLOCKS` on an axis."""
    rows, columns = (1 << (-(-length // BLOCKS) - 1).bit_length() for length in shape)
    return rows, columns
