"""The entries of a pair of Jacobians that were sent, whole or by blocks, checked against the size that the pair claims."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, product

from app.protocol.number import Entry, Matrix
from app.protocol.records.findings import Entries, size
from app.protocol.records.gradcheck import BLOCKS, Block, BlockEntry, Blocks, Gradcheck, JacobianPair, block_lengths, is_sent_whole

_ROUNDING = 1e-9  # the relative error of the size of a complex number, as two libraries compute it


def known_entries(check: Gradcheck, pair: JacobianPair) -> Entries:
    """Return, by row and column, the numerical and the analytical entry. Raises ValueError unless what was sent has the pair's shape."""
    if pair.numerical is not None and pair.analytical is not None and pair.blocks is None:
        rows, columns = (1, 1) if check.mode == "fast" else pair.shape
        if not is_sent_whole((rows, columns)):
            raise ValueError("Jacobians of this size are sent by blocks")
        return _pair_up(Block(0, 0, pair.numerical, pair.analytical), rows, columns)
    if pair.blocks is not None and pair.numerical is None and pair.analytical is None and check.mode != "fast":
        return _entries_of_blocks(pair, pair.blocks)
    raise ValueError("a pair has both Jacobians, or blocks of both")


def count_hidden(pair: JacobianPair, blocks: Blocks, known: Entries, least: float) -> int:
    """Return how many entries that were not sent may differ by more than `least`.

    Of each block, the entry that differs most was sent, so the others can differ by more only if that one does.
    """
    sent = Counter((row - row % blocks.rows, column - column % blocks.columns) for row, column in known)
    return sum(
        min(blocks.rows, pair.shape[0] - row) * min(blocks.columns, pair.shape[1] - column) - sent[row, column]
        for (row, column), entry in _by_place(blocks)
        if _error(*_numbers(entry)) > least
    )


def _entries_of_blocks(pair: JacobianPair, blocks: Blocks) -> Entries:
    if is_sent_whole(pair.shape) or (blocks.rows, blocks.columns) != block_lengths(pair.shape):
        raise ValueError("Jacobians of this size have other blocks, or none")
    across, down = (-(-length // block) for length, block in zip(pair.shape, (blocks.rows, blocks.columns), strict=True))
    if len(blocks.entries) != across or any(len(row) != down for row in blocks.entries):
        raise ValueError("there is one entry for each block")
    known = {}
    for (first_row, first_column), entry in _by_place(blocks):
        is_inside = 0 <= entry.row - first_row < blocks.rows and 0 <= entry.column - first_column < blocks.columns
        if not is_inside or entry.row >= pair.shape[0] or entry.column >= pair.shape[1]:
            raise ValueError("the entry of a block is outside it")
        known[entry.row, entry.column] = _numbers(entry)
    return known if blocks.worst is None else {**known, **_entries_of_worst(pair, blocks, blocks.worst, known)}


def _entries_of_worst(pair: JacobianPair, blocks: Blocks, worst: Block, known: Entries) -> Entries:
    """Return the entries of `worst`.

    Raises ValueError unless it is the block that has the entry that differs most, or a part of that block.
    """
    lengths = min(blocks.rows, BLOCKS), min(blocks.columns, BLOCKS)
    if worst.row >= pair.shape[0] or worst.column >= pair.shape[1] or worst.row % lengths[0] or worst.column % lengths[1]:
        raise ValueError("the worst block begins where none does")
    rows, columns = min(lengths[0], pair.shape[0] - worst.row), min(lengths[1], pair.shape[1] - worst.column)
    entries = _pair_up(worst, rows, columns)
    own = blocks.entries[worst.row // blocks.rows][worst.column // blocks.columns]
    row, column = own.row - worst.row, own.column - worst.column
    is_inside = 0 <= row < rows and 0 <= column < columns
    if not is_inside or (worst.numerical[row][column], worst.analytical[row][column]) != (own.numerical, own.analytical):
        raise ValueError("the worst block does not have the entry that was sent of it")
    most = _error(*_numbers(own)) * (1 + _ROUNDING)
    if any(_error(*one) > most for one in (*entries.values(), *known.values())):
        raise ValueError("another entry is worse")
    return entries


def _by_place(blocks: Blocks) -> Iterator[tuple[tuple[int, int], BlockEntry]]:
    """Yield each entry with the row and column at which its block begins."""
    for row, entries in enumerate(blocks.entries):
        for column, entry in enumerate(entries):
            yield (row * blocks.rows, column * blocks.columns), entry


def _pair_up(block: Block, rows: int, columns: int) -> Entries:
    for matrix in (block.numerical, block.analytical):
        if len(matrix) != rows or any(len(row) != columns for row in matrix):
            raise ValueError("a Jacobian is of another shape than its pair says")
    places = product(range(block.row, block.row + rows), range(block.column, block.column + columns))
    return dict(zip(places, zip(_flat(block.numerical), _flat(block.analytical), strict=True), strict=True))


def _flat(matrix: Matrix) -> Iterator[complex]:
    return (entry if type(entry) is float else _number(entry) for entry in chain.from_iterable(matrix))


def _numbers(entry: BlockEntry) -> tuple[complex, complex]:
    return _number(entry.numerical), _number(entry.analytical)


def _number(entry: Entry) -> complex:
    return complex(float(entry[0]), float(entry[1])) if isinstance(entry, tuple) else float(entry)


def _error(numerical: complex, analytical: complex) -> float:
    """Return how much the two differ; infinity if that is not a number."""
    error = 0.0 if analytical == numerical else size(analytical - numerical)
    return error if error == error else float("inf")
