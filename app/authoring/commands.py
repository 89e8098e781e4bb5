"""`gradroom lessons`: the author's commands. Like all commands they import what they need when they run."""

from pathlib import Path
from typing import Annotated

import typer

lessons_app = typer.Typer(no_args_is_help=True, help="Work on lessons.")

Folder = Annotated[Path | None, typer.Argument(help="The course's folder, with its course.toml.", show_default="the server's")]
Run = Annotated[bool, typer.Option(" /--no-run", help="Only load the lessons, do not run their cells.", show_default=False)]


@lessons_app.callback()
def lessons() -> None:
    """Work on lessons."""


@lessons_app.command()
def check(folder: Folder = None, run: Run = True) -> None:
    """Load every lesson, run every cell in the sandbox, and compare with what the lesson declares.

    Ends with status 1 when anything does not match, and with 2 when the sandbox does not work.
    """
    from app.authoring.report import check_folder

    raise typer.Exit(check_folder(folder, run=run))
