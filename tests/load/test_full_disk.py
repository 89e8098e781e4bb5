"""A short attack on a small disk: the limit holds, nothing is lost that was promised, and the room comes back."""

import pytest

from app.protocol.limits import MEBIBYTE
from tests.load.full_disk import run


@pytest.mark.nightly
@pytest.mark.timeout(300)
def test_the_limit_holds_and_nothing_is_lost_and_the_room_comes_back() -> None:
    report = run(seconds=9.0, disk_mebibytes=48)
    assert report["bound_held"]
    assert report["attackers_broken"] == []
    assert not [answer for answer in report["attackers"] if answer.startswith("delete 5")]
    assert (report["learners"]["receipts_lost"], report["learners"]["texts_lost"]) == (0, 0)
    assert report["bytes"]["after_erasure"] < report["bytes"]["before"] + 4 * MEBIBYTE
