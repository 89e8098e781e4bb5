"""One call of gradcheck or gradgradcheck: its verdict, and the Jacobians that it compared."""

from typing import Annotated, Literal

import msgspec

from app.protocol.number import Entry, Matrix, Real
from app.protocol.records.record import Count, Label, Record, Shape, Text

JACOBIAN_ENTRIES = 4096  # a Jacobian with more entries is sent by blocks
JACOBIAN_COLUMNS = 64  # a Jacobian with more columns is sent by blocks, too, because no page has room for it
BLOCKS = 32  # the most blocks on each axis, and the most rows and columns that are sent of the worst block
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
    """All entries of both Jacobians within one block, which begins at this row and column."""

    row: Count
    column: Count
    numerical: Matrix
    analytical: Matrix


class Blocks(msgspec.Struct, kw_only=True):
    """Two Jacobians of many entries, of which only some are sent.

    They are divided into blocks of `rows` × `columns`; the last ones are smaller.

    `entries`: of each block, the entry that differs most; if none differs, the largest. `worst`: if the pair fails, all entries of the
    block that differs most, or, of a block larger than 32 × 32, of the part that does.
    """

    rows: Count
    columns: Count
    entries: Annotated[list[Annotated[list[BlockEntry], msgspec.Meta(max_length=BLOCKS)]], msgspec.Meta(max_length=BLOCKS)]
    worst: Block | None = None


class JacobianPair(msgspec.Struct, kw_only=True):
    """The two Jacobians of one output by one input, each (input_numel, output_numel), as in torch.autograd.gradcheck.

    They are sent whole, or by `blocks`. `input_shape`, `output_shape`: those of the two tensors; their entries are counted in row-major
    order. `finding`: the simplest statement that is true of all entries. `factor`: for the finding "factor", by what the numerical Jacobian
    has to be multiplied to get the analytical one. In fast mode both Jacobians are 1 × 1: PyTorch compares one random projection of each,
    and there is no finding.
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
    """The fields of a check except its pairs."""

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
    """A check, with all pairs of Jacobians.

    `order`: 1 for gradcheck, 2 for gradgradcheck. `passed`: null when nothing was compared. `message`: PyTorch's own, when it failed.
    The runner derives `passed` and, for each pair, `failing` and both errors. A finding that the entries contradict becomes "differ"
    (app.protocol.records.judgement).
    """

    pairs: Annotated[list[JacobianPair], msgspec.Meta(max_length=PAIRS)] = []


class ClaimedGradcheck(Gradcheck, tag="gradcheck", kw_only=True):
    """What a child says of a check. The pairs stay JSON, so that a large check can be decoded, judged and encoded pair by pair."""

    pairs: Annotated[list[msgspec.Raw], msgspec.Meta(max_length=PAIRS)] = []


def is_sent_whole(shape: tuple[int, int]) -> bool:
    rows, columns = shape
    return rows * columns <= min(JACOBIAN_ENTRIES, rows * JACOBIAN_COLUMNS)


def block_lengths(shape: tuple[int, int]) -> tuple[int, int]:
    """Return how many rows and columns a block has. Each is the lowest power of two that gives at most `BLOCKS` blocks on its axis."""
    rows, columns = (1 << (-(-length // BLOCKS) - 1).bit_length() for length in shape)
    return rows, columns
