"""The commands `gradroom lessons`. Like all commands they import what they need when they run."""

from pathlib import Path
from typing import Annotated

import typer

lessons_app = typer.Typer(no_args_is_help=True, help="Work on lessons.")

Names = Annotated[list[str] | None, typer.Argument(metavar="[CHAPTER/LESSON]...", help="Lessons, or chapters.", show_default="all")]
Folder = Annotated[Path | None, typer.Option("--lessons", help="The course's folder, with its course.toml.", show_default="the server's")]
Run = Annotated[bool, typer.Option(" /--no-run", help="Only load the lessons, run nothing.", show_default=False)]
Changed = Annotated[bool, typer.Option("--changed", help="Only lessons with files that git finds changed.", show_default=False)]
Record = Annotated[
    bool,
    typer.Option(
        "--record",
        help="Write what differs into lesson.toml and recorded/, and note that the Chinese matches.",
        show_default=False,
    ),
]


@lessons_app.command()
def check(names: Names = None, folder: Folder = None, run: Run = True, changed: Changed = False, record: Record = False) -> None:
    """Load lessons, run everything in them in the sandbox, and compare it with what they declare.

    Cells and try-its show what they declare, predictions are right, solutions pass, starters fail, and each mistake is recognised.
    A course's folder may be given in place of lessons. Ends with status 1 when anything does not match, and with 2 when it could not
    be checked.
    """
    from app.authoring.course_check import check_course

    raise typer.Exit(check_course(names or [], folder, run=run, changed=changed, record=record))


@lessons_app.command()
def new(
    path: Annotated[str, typer.Argument(metavar="CHAPTER/LESSON", help="Its address; a missing chapter is made.")],
    folder: Folder = None,
) -> None:
    """Make a small complete lesson to begin from: a prediction, a cell, an exercise with its checks, in both languages."""
    from app.authoring.new_lesson import make_lesson

    raise typer.Exit(make_lesson(path, folder))


@lessons_app.command()
def coverage(folder: Folder = None) -> None:
    """Print, as Markdown, what the course has to teach and where it does, from its coverage.toml.

    Ends with status 1 when a place does not exist, or one is missing in a chapter that is complete.
    """
    from app.authoring.coverage.coverage_page import print_coverage

    raise typer.Exit(print_coverage(folder))
