"""The commands `gradroom learner`, `class`, `receipt` and `retention`. Like all commands they import what they need when they run."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.serving.command_line import ending_refused, prepare, print_message

learner_app = typer.Typer(no_args_is_help=True, help="Find, export and erase learners.")
class_app = typer.Typer(no_args_is_help=True, help="List, hand over, export and erase classes.")

DASHED = {"ignore_unknown_options": True}  # a learner's name may begin with a hyphen
Name = Annotated[str, typer.Argument(help="The learner’s name, as `learner find` prints it.")]
ClassName = Annotated[str, typer.Argument(help="The class’s name or number, as `class list` prints them.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", show_default=False)]


@learner_app.callback()
def learner() -> None:
    """Find, export and erase learners. A server may run meanwhile."""


@learner_app.command(context_settings=DASHED)
def find(
    text: Annotated[str, typer.Argument(help="A receipt, or the beginning of a name.")],
    as_json: AsJson = False,
) -> None:
    """Show whom a receipt or a name belongs to, and how much is stored of them. Ends with status 1 if there is nobody."""
    settings = prepare("store")
    from app.serving.operating import learner_commands

    with ending_refused():
        status, printed = learner_commands.find(settings, text, as_json=as_json, say=print_message)
    if printed:
        typer.echo(printed)
    raise typer.Exit(status)


@learner_app.command(context_settings=DASHED)
def export(
    name: Name,
    file: Annotated[str, typer.Argument(help="Where the zip is written; - for standard output.")],
    lang: Annotated[Literal["en", "zh-Hans"], typer.Option(help="The language of its README.txt.")] = "en",
) -> None:
    """Write everything that is stored of a learner as the zip that "My work" gives."""
    settings = prepare("store")
    from app.serving.operating import learner_commands

    with ending_refused():
        learner_commands.export(settings, name, file, lang, print_message)


@learner_app.command(context_settings=DASHED)
def erase(name: Name, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.", show_default=False)] = False) -> None:
    """Erase everything that is stored of a learner, and say which backups still have it."""
    settings = prepare("store")
    from app.serving.operating import learner_commands

    if not yes:
        typer.confirm(f"Erase everything that is stored of {name}? It cannot be undone.", abort=True, err=True)
    with ending_refused():
        learner_commands.erase(settings, name, print_message)


@class_app.callback()
def school_class() -> None:
    """List, hand over, export and erase classes. A server may run meanwhile."""


@class_app.command("list")
def list_classes(as_json: AsJson = False) -> None:
    """Show all classes, who teaches them, and how many members they have."""
    settings = prepare("store")
    from app.serving.operating import class_commands

    with ending_refused():
        printed = class_commands.list_classes(settings, as_json=as_json, say=print_message)
    if printed:
        typer.echo(printed)


@class_app.command("instructor", context_settings=DASHED)
def make_instructor(name: ClassName, person: Annotated[str, typer.Argument(help="The name with which they sign in.")]) -> None:
    """Let somebody teach a class as its instructor, for example after its only one has left."""
    settings = prepare("store")
    from app.serving.operating import class_commands

    with ending_refused():
        class_commands.make_instructor(settings, name, person, print_message)


@class_app.command("export", context_settings=DASHED)
def export_class(
    name: ClassName,
    file: Annotated[str, typer.Argument(help="Where the JSON is written; - for standard output.")],
) -> None:
    """Write everything that is stored of a class as JSON."""
    settings = prepare("store")
    from app.serving.operating import class_commands

    with ending_refused():
        class_commands.export(settings, name, file, print_message)


@class_app.command("erase", context_settings=DASHED)
def erase_class(name: ClassName, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.", show_default=False)] = False) -> None:
    """Erase a class with its members, hands, notes and points. The learners’ own work stays."""
    settings = prepare("store")
    from app.serving.operating import class_commands

    def confirm(question: str) -> None:
        if not yes:
            typer.confirm(question, abort=True, err=True)

    with ending_refused():
        class_commands.erase(settings, name, print_message, confirm)


def receipt(
    code: Annotated[str, typer.Argument(help="The receipt that a learner handed in.")],
    file: Annotated[Path | None, typer.Option(help="Also say whether this file is the text that was submitted.")] = None,
    show: Annotated[bool, typer.Option("--text", help="Also print the text that was submitted.", show_default=False)] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a receipt proves: who submitted which text to which exercise when, and with which verdict.

    Ends with status 1 if it proves nothing, or if the file is another text.
    """
    settings = prepare("store")
    from app.serving.operating.receipt_command import check_receipt

    with ending_refused():
        status, printed = check_receipt(settings, code, file=file, show=show, as_json=as_json, say=print_message)
    if printed:
        typer.echo(printed)
    raise typer.Exit(status)


def retention(
    days: Annotated[int, typer.Option("--within", min=0, max=36_500, help="Also count who is due within so many days.")] = 30,
    now: Annotated[bool, typer.Option("--now", help="Delete at once whoever is due.", show_default=False)] = False,
    as_json: AsJson = False,
) -> None:
    """Show how many learners will be deleted because they have not visited for long."""
    settings = prepare("store")
    from app.serving.operating.retention_command import show_retention

    with ending_refused():
        printed = show_retention(settings, days=days, now=now, as_json=as_json, say=print_message)
    typer.echo(printed)
