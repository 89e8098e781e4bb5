"""Who gives way when too much is held."""

import pytest

from app.protocol.owner import Owner
from app.web.held_bytes import ByteCaps, HeldBytes

CAPS = ByteCaps(learner=100, address=200, overall=300)
ADA, BOB, EVE = (Owner("here", name) for name in ("ada", "bob", "eve"))


class Part:
    def __init__(self) -> None:
        self.broken = False

    def break_off(self) -> None:
        self.broken = True


def parts(held: HeldBytes[Part], *given: tuple[Owner, int]) -> list[bool]:
    """Which of them are broken off once all hold what is said."""
    made = [(Part(), owner, size) for owner, size in given]
    for part, owner, size in made:
        held.hold(part, owner, size)
    return [part.broken for part, _, _ in made]


@pytest.mark.parametrize(
    ("given", "broken"),
    [
        ([(ADA, 60), (ADA, 40)], [False, False]),
        ([(ADA, 60), (BOB, 90), (ADA, 41)], [True, False, False]),
        ([(ADA, 10), (BOB, 90), (EVE, 95), (ADA, 10)], [False, False, True, False]),
        ([(Owner("a", "a"), 100), (Owner("b", "b"), 20), (Owner("a", "c"), 95), (Owner("b", "d"), 90)], [True, False, False, False]),
        ([(ADA, 101)], [True]),
    ],
)
def test_the_longest_of_the_heaviest_gives_way(given: list[tuple[Owner, int]], broken: list[bool]) -> None:
    assert parts(HeldBytes(CAPS), *given) == broken


def test_what_is_released_counts_no_more() -> None:
    held: HeldBytes[Part] = HeldBytes(CAPS)
    part = Part()
    for held_bytes in (60, 90, 0, 0):
        held.hold(part, ADA, held_bytes)
        assert held.total == held_bytes
    assert parts(held, (ADA, 90)) == [False]
