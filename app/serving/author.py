"""`gradroom author`: serves one course to the person who writes it, on this machine, in author mode."""

import os
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from app.serving.command_refused import CommandRefused
from app.settings import PREFIX, Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

SWITCH = "--allow-others"
AUTHOR = "--author"
SHUTDOWN_SECONDS = 1  # open pages keep an event stream open, and the shutdown would wait for it


def set_author_settings(folder: Path | None, host: str, *, allow_others: bool) -> None:
    """Set the environment variables that author mode needs, for this process and its children. Raises CommandRefused.

    Everybody who can open the pages can write to the course's folder and run programs, so other machines are admitted only if
    `allow_others` is set. Web runs as the owner of the folder, so that it can write there even if root started it.
    """
    if not (allow_others or is_own_machine(host)):
        raise CommandRefused(f"An author's server lets whoever reaches it change the course: listen on 127.0.0.1, or add {SWITCH}.")
    folder = (folder or Path(os.environ.get(f"{PREFIX}LESSONS_FOLDER") or Settings().lessons_folder)).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)  # in which a course can be begun
    except OSError as error:
        raise CommandRefused(f"{folder} cannot be a course's folder: {error.strerror}.") from None
    os.environ |= {
        f"{PREFIX}LESSONS_FOLDER": str(folder),
        f"{PREFIX}COURSE_FOLDERS": "",
        f"{PREFIX}WEB_PROCESSES": "1",
        f"{PREFIX}SHUTDOWN_SECONDS": str(SHUTDOWN_SECONDS),
        f"{PREFIX}WEB_UID": str(folder.stat().st_uid),
    }


def is_own_machine(host: str) -> bool:
    """Return whether a server that listens on `host` can be reached only from this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def create_author_app(settings: Settings) -> "FastAPI":
    """Return the web app in author mode, for the course in the lessons folder."""
    from functools import partial

    from app.authoring.author_mode.author_tools import AuthorTools
    from app.authoring.author_mode.live_catalogue import LiveCatalogue
    from app.lessons.course.catalogue import load_catalogue
    from app.main import create_app
    from app.runner.socket_runner import SocketRunner
    from app.web.guards.access import AuthorRoute

    runner = SocketRunner(settings.socket)
    catalogue = LiveCatalogue(partial(load_catalogue, settings.lessons_folder))
    author_tools = AuthorTools(catalogue, settings.lessons_folder, runner, settings.limits, settings.lesson_factor, AuthorRoute)
    return create_app(settings, runner, catalogue, author=author_tools)
