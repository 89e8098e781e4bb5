"""The commands `gradroom learner`, `class`, `instructor`, `receipt` and `retention`.

Like all commands they import what they need when they run.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.serving.command_line import print_message, store_command

learner_app = typer.Typer(no_args_is_help=True, help="Find, export and erase learners.")
instructor_app = typer.Typer(no_args_is_help=True, help="Who may sign in: instructors, assistants and operators.")
class_app = typer.Typer(no_args_is_help=True, help="List, hand over, export and erase classes.")

DASHED = {"ignore_unknown_options": True}  # a learner's name may begin with a hyphen
Name = Annotated[str, typer.Argument(help="The learner’s name, as `learner find` prints it.")]
ClassName = Annotated[str, typer.Argument(help="The class’s name or number, as `class list` prints them.")]
PersonName = Annotated[str, typer.Argument(help="The name with which the person signs in.")]
Address = Annotated[
    str | None, typer.Option(help="The server's address for the link, such as https://gradroom.example.", show_default="GRADROOM_ADDRESS")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", show_default=False)]


@learner_app.command(context_settings=DASHED)
def find(
    text: Annotated[str, typer.Argument(help="A receipt, or the beginning of a name.")],
    as_json: AsJson = False,
) -> None:
    """Show whom a receipt or a name belongs to, and how much is stored of them. Ends with status 1 if there is nobody."""
    from app.serving.operating import learner_commands

    with store_command() as settings:
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
    from app.serving.operating import learner_commands

    with store_command() as settings:
        learner_commands.export(settings, name, file, lang, print_message)


@learner_app.command(context_settings=DASHED)
def erase(name: Name, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.", show_default=False)] = False) -> None:
    """Erase everything that is stored of a learner, and say which backups still have it."""
    from app.serving.operating import learner_commands

    with store_command() as settings:
        if not yes:
            typer.confirm(f"Erase everything that is stored of {name}? It cannot be undone.", abort=True, err=True)
        learner_commands.erase(settings, name, print_message)


@class_app.command("list")
def list_classes(as_json: AsJson = False) -> None:
    """Show all classes, who teaches them, and how many members they have."""
    from app.serving.operating import class_commands

    with store_command() as settings:
        printed = class_commands.list_classes(settings, as_json=as_json, say=print_message)
    if printed:
        typer.echo(printed)


@class_app.command("instructor", context_settings=DASHED)
def make_instructor(name: ClassName, person: Annotated[str, typer.Argument(help="The name with which they sign in.")]) -> None:
    """Let somebody teach a class as its instructor, for example after its only one has left."""
    from app.serving.operating import class_commands

    with store_command() as settings:
        class_commands.make_instructor(settings, name, person, print_message)


@class_app.command("export", context_settings=DASHED)
def export_class(
    name: ClassName,
    file: Annotated[str, typer.Argument(help="Where the JSON is written; - for standard output.")],
) -> None:
    """Write everything that is stored of a class as JSON."""
    from app.serving.operating import class_commands

    with store_command() as settings:
        class_commands.export(settings, name, file, print_message)


@class_app.command("erase", context_settings=DASHED)
def erase_class(name: ClassName, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.", show_default=False)] = False) -> None:
    """Erase a class with its members, hands, notes and points. The learners’ own work stays."""
    from app.serving.operating import class_commands

    def confirm(question: str) -> None:
        if not yes:
            typer.confirm(question, abort=True, err=True)

    with store_command() as settings:
        class_commands.erase(settings, name, print_message, confirm)


@instructor_app.command()
def add(
    name: PersonName,
    role: Annotated[Literal["instructor", "assistant", "operator"], typer.Option(help="What the person is.")] = "instructor",
    address: Address = None,
) -> None:
    """Add a person, and print a link with which they choose a password. It works once, and ends after three days."""
    from app.classroom.people.roles import Role
    from app.serving.operating import instructor_commands

    with store_command() as settings:
        typer.echo(instructor_commands.add(settings, name, Role(role), address))


@instructor_app.command()
def link(name: PersonName, address: Address = None) -> None:
    """Print a new link for somebody who has lost their password. Earlier links end; the password stays until the link is used."""
    from app.serving.operating import instructor_commands

    with store_command() as settings:
        typer.echo(instructor_commands.link(settings, name, address))


@instructor_app.command("list")
def list_people() -> None:
    """List all people: name, role, since when, and whether they have chosen a password."""
    from app.serving.operating import instructor_commands

    with store_command() as settings:
        for line in instructor_commands.list_lines(settings):
            typer.echo(line)


@instructor_app.command()
def rename(name: PersonName, new_name: Annotated[str, typer.Argument(help="The new name.")]) -> None:
    """Give a person another name. They sign in with it from now on."""
    from app.serving.operating import instructor_commands

    with store_command() as settings:
        typer.echo(instructor_commands.rename(settings, name, new_name))


@instructor_app.command()
def remove(name: PersonName) -> None:
    """Remove a person. Within seconds they are signed out everywhere."""
    from app.serving.operating import instructor_commands

    with store_command() as settings:
        typer.echo(instructor_commands.remove(settings, name))


def receipt(
    code: Annotated[str, typer.Argument(help="The receipt that a learner handed in.")],
    file: Annotated[Path | None, typer.Option(help="Also say whether this file is the text that was submitted.")] = None,
    show: Annotated[bool, typer.Option("--text", help="Also print the text that was submitted.", show_default=False)] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a receipt proves: who submitted which text to which exercise when, and with which verdict.

    Ends with status 1 if it proves nothing, or if the file is another text.
    """
    from app.serving.operating.receipt_command import check_receipt

    with store_command() as settings:
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
    from app.serving.operating.retention_command import show_retention

    with store_command() as settings:
        printed = show_retention(settings, days=days, now=now, as_json=as_json, say=print_message)
    typer.echo(printed)
