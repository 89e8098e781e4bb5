"""The commands `gradroom instructor`. Like all commands they import what they need when they run."""

from typing import Annotated, Literal

import typer

from app.serving.command_line import ending_refused, prepare

instructor_app = typer.Typer(no_args_is_help=True, help="Who may sign in: instructors, assistants and operators.")

Name = Annotated[str, typer.Argument(help="The name with which the person signs in.")]
Address = Annotated[
    str | None, typer.Option(help="The server's address for the link, such as https://gradroom.example.", show_default="GRADROOM_ADDRESS")
]


@instructor_app.callback()
def instructor() -> None:
    """Who may sign in: instructors, assistants and operators. A server may run meanwhile."""


@instructor_app.command()
def add(
    name: Name,
    role: Annotated[Literal["instructor", "assistant", "operator"], typer.Option(help="What the person is.")] = "instructor",
    address: Address = None,
) -> None:
    """Add a person, and print a link with which they choose a password. It works once, and ends after three days."""
    from app.classroom.people.roles import Role
    from app.serving.operating import instructor_commands

    settings = prepare("store")
    with ending_refused():
        typer.echo(instructor_commands.add(settings, name, Role(role), address))


@instructor_app.command()
def link(name: Name, address: Address = None) -> None:
    """Print a new link for somebody who has lost their password. Earlier links end; the password stays until the link is used."""
    from app.serving.operating import instructor_commands

    settings = prepare("store")
    with ending_refused():
        typer.echo(instructor_commands.link(settings, name, address))


@instructor_app.command("list")
def list_() -> None:
    """List all people: name, role, since when, and whether they have chosen a password."""
    from app.serving.operating import instructor_commands

    settings = prepare("store")
    with ending_refused():
        for line in instructor_commands.list_lines(settings):
            typer.echo(line)


@instructor_app.command()
def rename(name: Name, new_name: Annotated[str, typer.Argument(help="The new name.")]) -> None:
    """Give a person another name. They sign in with it from now on."""
    from app.serving.operating import instructor_commands

    settings = prepare("store")
    with ending_refused():
        typer.echo(instructor_commands.rename(settings, name, new_name))


@instructor_app.command()
def remove(name: Name) -> None:
    """Remove a person. Within seconds they are signed out everywhere."""
    from app.serving.operating import instructor_commands

    settings = prepare("store")
    with ending_refused():
        typer.echo(instructor_commands.remove(settings, name))
