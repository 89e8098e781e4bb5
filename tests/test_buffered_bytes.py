"""Which buffer is dropped when too many bytes are buffered."""

import pytest

from app.buffered_bytes import BufferedBytes, ByteCaps
from app.protocol.owner import Owner

CAPS = ByteCaps(learner=100, address=200, overall=300)
ADA, BOB, EVE = (Owner("here", name) for name in ("ada", "bob", "eve"))


class Part:
    """A buffered part that, like a run or a connection, reports that it is empty once it was broken off."""

    def __init__(self, buffered: "BufferedBytes[Part]", owner: Owner) -> None:
        self._buffered, self._owner = buffered, owner
        self.broken = False

    def fill(self, size: int) -> None:
        self._buffered.count(self, self._owner, size)

    def break_off(self) -> None:
        self.broken = True
        self.fill(0)


def parts(buffered: BufferedBytes[Part], *given: tuple[Owner, int]) -> list[bool]:
    """Fill parts one after another, and return for each whether it was broken off."""
    made = [Part(buffered, owner) for owner, _ in given]
    for part, (_, size) in zip(made, given, strict=True):
        part.fill(size)
    assert buffered.total == sum(size for part, (_, size) in zip(made, given, strict=True) if not part.broken)
    return [part.broken for part in made]


@pytest.mark.parametrize(
    ("given", "broken"),
    [
        ([(ADA, 60), (ADA, 40)], [False, False]),
        ([(ADA, 60), (BOB, 90), (ADA, 41)], [True, False, False]),
        ([(ADA, 10), (BOB, 90), (EVE, 95), (ADA, 10)], [False, False, True, False]),
        ([(Owner("a", "a"), 100), (Owner("b", "b"), 20), (Owner("a", "c"), 95), (Owner("b", "d"), 90)], [True, False, False, False]),
        ([(ADA, 101)], [True]),
        ([(ADA, 30), (ADA, 40), (ADA, 60)], [True, False, False]),
        ([(ADA, 10), (ADA, 10), (ADA, 100)], [True, True, False]),
    ],
)
def test_the_longest_of_the_heaviest_gives_way(given: list[tuple[Owner, int]], broken: list[bool]) -> None:
    assert parts(BufferedBytes(CAPS), *given) == broken


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_over_the_cap_of_all_the_learner_with_most_gives_way_whoever_comes_last(order: tuple[int, ...]) -> None:
    given = [(ADA, 30), (ADA, 40), (BOB, 35)]
    broken = parts(BufferedBytes(ByteCaps(learner=100, address=100, overall=100)), *(given[number] for number in order))
    assert [given[number][0] for number, is_broken in zip(order, broken, strict=True) if is_broken] == [ADA]


def test_a_learners_own_cap_takes_only_their_own() -> None:
    caps = ByteCaps(learner=50, address=1000, overall=1000)
    assert parts(BufferedBytes(caps), (ADA, 40), (ADA, 40), (BOB, 40)) == [True, False, False]


def test_one_that_was_empty_in_between_has_not_waited_long() -> None:
    buffered: BufferedBytes[Part] = BufferedBytes(CAPS)
    first, second, third = (Part(buffered, ADA) for _ in range(3))
    for part, size in ((first, 40), (second, 40), (first, 0), (first, 40), (third, 40)):
        part.fill(size)
    assert [part.broken for part in (first, second, third)] == [False, True, False]


def test_what_is_released_counts_no_more() -> None:
    buffered: BufferedBytes[Part] = BufferedBytes(CAPS)
    part = Part(buffered, ADA)
    for size in (60, 90, 0, 0):
        part.fill(size)
        assert buffered.total == size
    assert parts(buffered, (ADA, 90)) == [False]
