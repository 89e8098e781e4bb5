"""A short siege: the learner is served whoever attacks, and nothing is left behind. The long siege measures how fast."""

import pytest

from tests.load.attackers import BOMBS
from tests.load.siege import hold


@pytest.mark.nightly
@pytest.mark.timeout(300)
def test_a_learner_is_served_under_siege_and_nothing_is_left_of_it() -> None:
    report = hold(seconds=4.0, quiet_seconds=1.0, bombs=BOMBS[::3])
    served = report["siege"]["learner"]["outcomes"]
    assert set(served) == {"raised"}  # as the cell does: its second check fails
    assert report["siege"]["attackers"]
    assert report["processes_left"] <= 0
    assert report["files_left"] == []
