"""The scratch folders of a zygote's children: what is reported of them, and when."""

import os
from pathlib import Path

import pytest

from app.sandbox.confinement.confinement import Identity
from app.sandbox.scratch.scratch_folders import ScratchFolders

MEBIBYTE = 2**20
CHILD = os.getpid()


def await_helpers(folders: ScratchFolders) -> int:
    """Wait for all helpers. Return how many there were."""
    helpers = list(folders.helpers)
    for helper in helpers:
        folders.on_helper_exit(*os.waitpid(helper, 0))
    return len(helpers)


def test_no_child_gets_the_folder_of_another(tmp_path: Path) -> None:
    folders = ScratchFolders(str(tmp_path))
    first, second = folders.make(None), folders.make(None)
    assert first != second
    assert os.listdir(first) == os.listdir(second) == []


def test_no_run_can_guess_the_name_of_anothers_folder(tmp_path: Path) -> None:
    names = {Path(ScratchFolders(str(tmp_path)).make(None)).name.partition("-")[2] for _ in range(3)}
    assert len(names) == 3
    assert all(len(bytes.fromhex(name)) == 16 for name in names)


def test_a_folder_is_measured_beside_the_zygote_unless_it_is_empty(tmp_path: Path) -> None:
    folders = ScratchFolders(str(tmp_path))
    child = Identity(uid=None, scratch=folders.make(None))
    reported: list[bool | None] = []
    folders.measure(CHILD, child, MEBIBYTE, 16, reported.append)
    assert (reported, await_helpers(folders)) == ([True], 0)
    Path(child.scratch, "file").write_bytes(b"x" * 2 * MEBIBYTE)
    for most_bytes in (4 * MEBIBYTE, MEBIBYTE):
        folders.measure(CHILD, child, most_bytes, 16, reported.append)
        assert await_helpers(folders) == 1
    assert reported == [True, True, False]


@pytest.mark.parametrize("names", [[], ["file"]])
def test_an_end_is_reported_when_nothing_is_left(tmp_path: Path, names: list[str]) -> None:
    folders = ScratchFolders(str(tmp_path))
    child = Identity(uid=None, scratch=folders.make(None))
    for name in names:
        Path(child.scratch, name).touch()
    left: list[bool] = []
    folders.clean_up(CHILD, child, lambda: left.append(os.path.exists(child.scratch)))
    assert await_helpers(folders) == len(names)
    assert left == [False]
