"""Checks that the folders of courses exist. Otherwise a server would start without lessons and would only log why."""

from pathlib import Path

from app.serving.command_refused import CommandRefused
from app.settings import PREFIX, Settings


def require_courses(settings: Settings) -> None:
    """Raise CommandRefused if a course's folder is missing, or if the first one has no course.toml.

    A further folder may be empty, because a container makes the folder before there is a course in it.
    """
    require_folder("LESSONS_FOLDER", settings.lessons_folder)
    for folder in settings.course_folders:
        require_folder("COURSE_FOLDERS", folder)
    if not (settings.lessons_folder / "course.toml").is_file():
        raise CommandRefused(f"{PREFIX}LESSONS_FOLDER: {settings.lessons_folder} has no course.toml: expected the folder of a course.")


def require_folder(setting: str, folder: Path) -> None:
    try:
        if not folder.is_dir():
            raise CommandRefused(f"{PREFIX}{setting}: there is no folder {folder}: expected the folder of a course, with its course.toml.")
    except OSError as error:
        raise CommandRefused(f"{PREFIX}{setting}: {folder} cannot be read: {error.strerror}.") from None
