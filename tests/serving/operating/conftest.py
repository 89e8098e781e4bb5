"""The operator's commands, in processes of their own: as root they become web's user for good."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.authoring.new_lesson import make_lesson
from app.settings import Settings
from tests.serving.operating.stored import LESSON, Gradroom, Stored
from tests.warm_gradroom import WarmGradroom


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that web's user can enter, too."""
    with tempfile.TemporaryDirectory(prefix="gradroom-operating-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def settings(folder: Path) -> Settings:
    """Return settings with a course of one lesson, which has the exercise EXERCISE."""
    course = folder / "course"
    assert make_lesson(LESSON, course) == 0
    return Settings(state_folder=folder / "state", lessons_folder=course)


@pytest.fixture
def gradroom(warm_gradroom: WarmGradroom, settings: Settings) -> Gradroom:
    environment = {"GRADROOM_STATE_FOLDER": str(settings.state_folder), "GRADROOM_LESSONS_FOLDER": str(settings.lessons_folder)}
    return lambda *arguments, **more: warm_gradroom.run(*arguments, **environment, **more)


@pytest.fixture
def stored(settings: Settings) -> Stored:
    return Stored(settings)
