"""Scratch folders without a tmpfs are emptied, whatever a learner left there."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from app.sandbox.scratch.scratch import empty_folder, make_scratch, remove_folder, remove_scratch, start_emptying


def test_a_folder_a_thousand_deep_is_removed(tmp_path: Path) -> None:
    path = make_scratch(str(tmp_path), "1", None)
    dig(path, 1500)
    clear(path, None)
    assert not os.path.exists(path)


def test_a_folder_of_ours_goes_with_whatever_its_scratch_folders_hold(tmp_path: Path) -> None:
    ours = tmp_path / "runner"
    (ours / "zygote").mkdir(parents=True)
    (ours / "zygote" / "canary").write_text("x")
    dig(make_scratch(str(ours / "zygote"), "1", None), 1500)
    remove_folder(str(ours))
    assert not ours.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another uid")
def test_two_that_remove_the_same_folder_do_not_stop_each_other(tmp_path: Path) -> None:
    """This happens if a runner is stopped while its helper removes what a zygote left."""
    for trial in range(5):
        folder = tmp_path / f"runner-{trial}"
        for zygote in ("a", "b"):
            deep = folder / zygote
            for _ in range(300):
                deep = deep / "d"
            deep.mkdir(parents=True)
        command = [sys.executable, "-m", "app.sandbox.scratch.scratch"]
        beside = [subprocess.Popen([*command, str(one)]) for one in (folder, folder / "a", folder, folder / "b")]
        assert [one.wait(20) for one in beside] == [0, 0, 0, 0]
        assert not folder.exists()


def test_a_folder_of_ours_goes_though_root_may_not_pass_over_modes() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o711)
        os.mkdir(f"{folder}/zygote", 0o711)
        path = make_scratch(f"{folder}/zygote", "1", 65_000)
        assert status_of(lambda: leave_something(path, 65_000)) == 0
        assert status_of(lambda: remove_without_capabilities(f"{folder}/zygote")) == 0
        assert os.listdir(folder) == []


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    path = Path(make_scratch(str(tmp_path), "2", None))
    (path / "link").symlink_to(outside)
    (path / "folder").mkdir()
    (path / "folder" / "link").symlink_to(outside / "kept")
    os.mkfifo(path / "folder" / "fifo")
    clear(str(path), None)
    assert not path.exists()
    assert (outside / "kept").read_text() == "x"


def test_folders_without_rights_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "scratch"
    (path / "closed" / "inner").mkdir(parents=True)
    (path / "closed").chmod(0)
    empty_folder(str(path))
    assert list(path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another uid")
def test_what_another_uid_left_is_removed_by_that_uid() -> None:
    with tempfile.TemporaryDirectory() as folder:  # not pytest's own, which no other uid may pass through
        os.chmod(folder, 0o711)
        path = make_scratch(folder, "3", 65_000)
        assert status_of(lambda: leave_something(path, 65_000)) == 0
        clear(path, 65_000)
        assert os.listdir(folder) == []


def dig(path: str, depth: int) -> None:
    """Make a chain of folders that is longer than any path may be."""
    here = os.open(path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("down", dir_fd=here)
        below = os.open("down", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def status_of(action: Callable[[], None]) -> int:
    """Return the exit code of a forked process that does this."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def clear(path: str, uid: int | None) -> None:
    emptier = start_emptying(path, uid)
    assert emptier is not None
    os.waitpid(emptier, 0)
    remove_scratch(path)


def leave_something(path: str, uid: int) -> None:
    os.setresuid(uid, uid, uid)
    os.makedirs(f"{path}/mine/below/deeper")
    Path(path, "mine", "below", "deeper", "file").write_text("x")
    for folder in ("mine/below/deeper", "mine/below", "mine", "."):
        os.chmod(f"{path}/{folder}", 0)
    os._exit(0)


def remove_without_capabilities(path: str) -> None:
    """Do it as the container's root, which may only change its uid."""
    kept = subprocess.run(["setpriv", "--bounding-set=-all,+setuid,+setgid,+kill,+chown", sys.executable, "-c", REMOVE, path], check=False)
    os._exit(kept.returncode)


REMOVE = "import sys; from app.sandbox.scratch.scratch import remove_folder; remove_folder(sys.argv[1])"
