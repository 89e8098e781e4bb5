"""The folder for runs' files."""

import fcntl
import os
from pathlib import Path

import pytest

from app.serving.scratch_folder import scratch_folder
from app.settings import Settings


def test_the_scratch_folder_is_locked_while_it_is_used_and_goes_away(tmp_path: Path) -> None:
    with scratch_folder(Settings(scratch_folder=tmp_path)) as folder:
        assert folder.parent == tmp_path
        cleaner = os.open(folder, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(cleaner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(cleaner)
    assert not folder.exists()


def test_what_a_killed_runner_left_is_removed_and_what_a_live_one_uses_is_not(tmp_path: Path) -> None:
    settings = Settings(scratch_folder=tmp_path)
    abandoned = tmp_path / "gradroom-runner-dead" / "zygote-1"
    abandoned.mkdir(parents=True)
    other = tmp_path / "somebody-elses"
    other.mkdir()
    with scratch_folder(settings) as first, scratch_folder(settings) as second:
        assert sorted(tmp_path.iterdir()) == sorted([first, second, other])
    assert list(tmp_path.iterdir()) == [other]
