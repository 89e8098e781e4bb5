"""A scratch folder is measured while its learner's program works against that."""

import os
import tempfile
from pathlib import Path

import pytest

from app.sandbox.scratch.measuring import OverBounds, Tally, measure_folder, start_measuring, verdict_of
from app.sandbox.scratch.scratch import make_scratch, remove_folder
from tests.sandbox.test_scratch import dig

MEBIBYTE = 1024 * 1024


def is_within(path: Path, most_bytes: int = MEBIBYTE, most_inodes: int = 100) -> bool:
    try:
        measure_folder(str(path), Tally(most_bytes, most_inodes))
    except OverBounds:
        return False
    return True


def test_files_count_with_what_they_take_wherever_they_are(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "file").write_bytes(b"x" * MEBIBYTE)
    assert is_within(tmp_path, 2 * MEBIBYTE)
    assert not is_within(tmp_path, MEBIBYTE // 2)


def test_a_hole_in_a_file_takes_nothing(tmp_path: Path) -> None:
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(1000 * MEBIBYTE)
    assert is_within(tmp_path)


def test_a_file_with_many_names_counts_its_bytes_once_and_each_name(tmp_path: Path) -> None:
    (tmp_path / "first").write_bytes(b"x" * MEBIBYTE)
    for number in range(9):
        os.link(tmp_path / "first", tmp_path / str(number))
    assert is_within(tmp_path, 2 * MEBIBYTE, 10)
    assert not is_within(tmp_path, 2 * MEBIBYTE, 9)


def test_everything_that_has_a_name_counts_as_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    os.mkfifo(tmp_path / "fifo")
    assert is_within(tmp_path, most_inodes=3)
    assert not is_within(tmp_path, most_inodes=2)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "large").write_bytes(b"x" * MEBIBYTE)
    (tmp_path / "scratch" / "link").symlink_to("../outside")
    (tmp_path / "scratch" / "loop").symlink_to(".")
    assert is_within(tmp_path / "scratch", MEBIBYTE // 2)


def test_a_chain_of_folders_is_followed_to_its_end() -> None:
    path = tempfile.mkdtemp()
    try:
        dig(path, 1500)
        assert verdict(path, None, MEBIBYTE * 100, 1500) is True
        assert verdict(path, None, MEBIBYTE * 100, 1499) is False
    finally:
        remove_folder(path)  # which pytest could not


def test_a_folder_of_a_million_files_is_not_read_to_its_end(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / str(number)).touch()
    before = len(os.listdir("/proc/self/fd"))
    assert not is_within(tmp_path, most_inodes=10)
    assert len(os.listdir("/proc/self/fd")) <= before + 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another uid")
def test_it_is_done_as_the_owner_who_can_close_folders_to_itself() -> None:
    with tempfile.TemporaryDirectory() as folder:  # not pytest's own, which no other uid may pass through
        os.chmod(folder, 0o711)
        path = make_scratch(folder, "1", 65_000)
        assert verdict(path, 65_000) is True
        os.mkdir(f"{path}/closed", 0)
        os.chown(f"{path}/closed", 65_000, -1)
        assert verdict(path, 65_000) is None
        assert verdict(path, 65_001) is None


def verdict(path: str, uid: int | None, most_bytes: int = MEBIBYTE, most_inodes: int = 100) -> bool | None:
    return verdict_of(os.waitpid(start_measuring(path, uid, most_bytes, most_inodes), 0)[1])
