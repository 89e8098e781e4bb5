"""Finds what repeats in a sequence, as in AAAA… and ABABAB…, in a time that is proportional to its length."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

LONGEST_PERIOD = 256
_COMPARISONS = 2_000_000  # the most comparisons of items; these take a third of a second


class Repeat(NamedTuple):
    """The `period` items from position `start` on occur `times` times in a row."""

    start: int
    period: int
    times: int

    @property
    def end(self) -> int:
        return self.start + self.period * self.times


def find_repeats(items: Sequence[Hashable], fewest_times: int = 3) -> list[Repeat]:
    """Return repeats that do not overlap, sorted by position.

    Repeats that cover more items are chosen first; among those that cover equally many, the ones with shorter periods. Each has at least
    `fewest_times` repetitions.
    """
    numbers: dict[Hashable, int] = {}
    sequence = [numbers.setdefault(item, len(numbers)) for item in items]
    longest = min(LONGEST_PERIOD, len(sequence) // fewest_times, _COMPARISONS // max(1, len(sequence)))
    found = [run for period in range(1, longest + 1) for run in _runs(sequence, period, fewest_times)]
    found.sort(key=lambda run: (-run.period * run.times, run.period, run.start))
    taken = bytearray(len(sequence))
    chosen = []
    for run in found:
        for rest in _free(run, taken, fewest_times):
            taken[rest.start : rest.end] = b"\1" * (rest.end - rest.start)
            chosen.append(rest)
    return sorted(chosen)


def _runs(sequence: Sequence[int], period: int, fewest_times: int) -> list[Repeat]:
    """Return the repeats of this `period` that have at least `fewest_times` repetitions, each as long as possible."""
    runs, start = [], 0
    same = [one == other for one, other in zip(sequence, sequence[period:], strict=False)]
    same.append(False)
    for index, is_same in enumerate(same):
        if not is_same:
            times = (index - start + period) // period
            if times >= fewest_times:
                runs.append(Repeat(start, period, times))
            start = index + 1
    return runs


def _free(run: Repeat, taken: bytearray, fewest_times: int) -> list[Repeat]:
    """Return the part of `run` that no chosen repeat covers, as a list of one repeat.

    The list is empty if that part has fewer than `fewest_times` repetitions, or is in several pieces.
    """
    first, last = run.start, run.end
    while first < last and taken[first]:
        first += 1
    while last > first and taken[last - 1]:
        last -= 1
    times = (last - first) // run.period
    if times < fewest_times or any(taken[first:last]):
        return []
    return [Repeat(first, run.period, times)]
