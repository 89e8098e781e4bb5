"""The delay of the board is the time from a learner's answer to the row that shows the change."""

from collections import defaultdict

from app.loadtest.board_delays import MOST_SECONDS, BoardDelays, SeenRow
from app.loadtest.report import BOARD_ATTEMPT, BOARD_HAND


class Watch:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_change_is_measured_from_the_answer_to_its_row_and_only_once() -> None:
    watch, waits = Watch(), defaultdict[str, list[float]](list)
    delays = BoardDelays(waits, watch)
    delays.expect("ana", BOARD_HAND)  # the board does not show her yet
    delays.end("ana", BOARD_HAND, shown=True)
    delays.show([SeenRow("ana", attempt=4), SeenRow("ben")])
    for name, kind in (("ana", BOARD_ATTEMPT), ("ana", BOARD_HAND), ("ben", BOARD_ATTEMPT)):
        delays.expect(name, kind)
        delays.end(name, kind, shown=True)
    watch.now = 0.5
    delays.show([SeenRow("ana", attempt=4, hand=True), SeenRow("ben")])  # ben's row changed for another reason
    watch.now = 0.75
    delays.show([SeenRow("ana", attempt=5, hand=True), SeenRow("ben", attempt=6)])
    delays.show([SeenRow("ana", attempt=7)])
    assert waits == {BOARD_HAND: [0.5], BOARD_ATTEMPT: [0.75, 0.75]}


def test_a_row_before_the_answer_is_no_delay_and_a_change_that_failed_is_none() -> None:
    watch, waits = Watch(), defaultdict[str, list[float]](list)
    delays = BoardDelays(waits, watch)
    delays.show([SeenRow("ana"), SeenRow("ben")])
    delays.expect("ana", BOARD_ATTEMPT)
    delays.expect("ben", BOARD_ATTEMPT)
    delays.end("ben", BOARD_ATTEMPT, shown=False)
    delays.show([SeenRow("ana", attempt=1), SeenRow("ben", attempt=2)])
    watch.now = 3.0
    delays.end("ana", BOARD_ATTEMPT, shown=True)
    assert waits == {BOARD_ATTEMPT: [0.0]}


def test_a_change_that_is_not_shown_is_missing_and_has_waited_until_the_next_one() -> None:
    watch, waits = Watch(), defaultdict[str, list[float]](list)
    delays = BoardDelays(waits, watch)
    delays.show([SeenRow("ana")])
    delays.expect("ana", BOARD_HAND)
    watch.now = 1.0
    delays.end("ana", BOARD_HAND, shown=True)
    watch.now = 1.0 + MOST_SECONDS
    assert delays.count_missing() == 0
    watch.now += 1
    assert delays.count_missing() == 1
    delays.expect("ana", BOARD_HAND)
    assert (delays.count_missing(), waits) == (0, {BOARD_HAND: [MOST_SECONDS + 1]})
