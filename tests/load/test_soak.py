"""A short soak: what is held after many runs is what was held before."""

from tests.load.soak import soak


def test_nothing_grows_with_the_number_of_runs() -> None:
    before, *_, after = soak(40, every=20, settings={"GRADROOM_CONCURRENCY": "2", "GRADROOM_SPARES": "3", "GRADROOM_ZYGOTE_RUNS": "1000"})
    for held in ("processes", "threads", "descriptors", "files", "control_groups"):
        assert after[held] == before[held]
