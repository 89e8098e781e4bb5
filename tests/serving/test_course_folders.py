"""Whether the folders of courses are there."""

from pathlib import Path

import pytest

from app.serving.command_refused import CommandRefused
from app.serving.course_folders import require_courses
from app.settings import Settings


def test_a_missing_lessons_folder_is_called_that(tmp_path: Path) -> None:
    with pytest.raises(CommandRefused, match=rf"^GRADROOM_LESSONS_FOLDER: there is no folder {tmp_path}/lesons: expected the folder"):
        require_courses(Settings(lessons_folder=tmp_path / "lesons"))


def test_a_folder_without_a_course_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandRefused, match=r"^GRADROOM_LESSONS_FOLDER: .* has no course\.toml"):
        require_courses(Settings(lessons_folder=tmp_path))


def test_a_missing_further_folder_is_refused_and_an_empty_one_is_not(tmp_path: Path) -> None:
    require_courses(Settings(course_folders=(tmp_path,)))
    with pytest.raises(CommandRefused, match=r"^GRADROOM_COURSE_FOLDERS: there is no folder"):
        require_courses(Settings(course_folders=(tmp_path, tmp_path / "physics")))
