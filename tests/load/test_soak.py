"""A short soak: after many runs the server has the same resources as before."""

import pytest

from tests.load.soak import soak


@pytest.mark.nightly
@pytest.mark.timeout(300)
def test_nothing_grows_with_the_number_of_runs() -> None:
    few_slots = {"GRADROOM_CONCURRENCY": "1", "GRADROOM_BEGUN_RUNS": "1", "GRADROOM_SPARES": "2"}  # all used before the first count
    before, after = soak(20, every=20, settings=few_slots)
    for held in ("processes", "threads", "descriptors", "files", "control_groups"):
        assert after[held] == before[held]
