"""What the two processes are given."""

import fcntl
import os
from pathlib import Path

import pytest

from app.serving.process import allow_host, scratch_folder
from app.settings import Settings


@pytest.mark.parametrize(("host", "name"), [("192.0.2.7", "192.0.2.7"), ("room.example", "room.example"), ("2001:db8::7", "[2001:db8::7]")])
def test_the_host_that_is_listened_on_is_allowed(host: str, name: str) -> None:
    assert allow_host(Settings(), host).allowed_hosts == (*Settings().allowed_hosts, name)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_listening_everywhere_allows_no_more_names(host: str) -> None:
    assert allow_host(Settings(), host).allowed_hosts == Settings().allowed_hosts


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
