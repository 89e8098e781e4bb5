"""Functions that all commands use: they load the settings, set up the log, and end a refused command."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from app.serving.command_refused import REFUSED_STATUS, CommandRefused

if TYPE_CHECKING:
    from app.settings import Settings

GRADROOM: tuple[str, ...] = (sys.executable, "-P", "-m", "app.cli")  # the command `gradroom`, for processes that are started


def prepare(process: str, socket: Path | None = None) -> "Settings":
    """Load the settings and set up the log. Ends the command if a setting is wrong."""
    from app.serving.logs import configure_logs
    from app.settings import find_unknown, load_settings

    with ending_refused():
        settings = load_settings(**({"runner_socket": socket} if socket else {}))
    configure_logs(process, settings.log_format, settings.log_level)
    for name in find_unknown() if process == "serve" else ():
        typer.echo(f"{name} is not a setting of Gradroom and changes nothing.", err=True)
    return settings


@contextmanager
def ending_refused() -> Iterator[None]:
    """If the command is refused, end it with a message and the status 2."""
    from app.settings import SettingsError

    try:
        yield
    except (CommandRefused, SettingsError) as error:
        print_message(str(error))
        raise typer.Exit(REFUSED_STATUS) from None
    except UnicodeEncodeError as error:  # Python decodes invalid UTF-8 to surrogates, which no database stores
        print_message(f"This is no text in UTF-8: {error.object!r}.")
        raise typer.Exit(REFUSED_STATUS) from None


@contextmanager
def store_command() -> Iterator["Settings"]:
    """Yield the settings to a command that works on the store. If one is wrong, or the command is refused, end it with the status 2."""
    settings = prepare("store")
    with ending_refused():
        yield settings


def print_message(message: str) -> None:
    """Print to standard error, because standard output may be a backup."""
    typer.echo(message, err=True)
