"""Fixtures of the tests of the loader."""

from pathlib import Path

import pytest

from tests.lessons.course_folder import CourseFolder


@pytest.fixture
def course(tmp_path: Path) -> CourseFolder:
    return CourseFolder(tmp_path)
