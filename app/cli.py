"""The `gradroom` command. Each subcommand imports what it needs only when it runs, so that `gradroom --help` is fast."""

import gc
import os
import signal
import sys
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import Annotated, Literal, NoReturn

import typer

from app.authoring.commands import lessons_app
from app.cluster.commands import cluster_app
from app.serving.command_line import ending_refused, prepare, print_message, store_command
from app.serving.confinement.unconfined import SWITCH, WARNING
from app.serving.operating.commands import class_app, instructor_app, learner_app, receipt, retention

MIGRATE = "--migrate"
SERVERS = ("serve", "web", "runner", "author")
app = typer.Typer(no_args_is_help=True, add_completion=False, help="A classroom for gradients.", pretty_exceptions_enable=False)
sandbox = typer.Typer(no_args_is_help=True, help="What confines the programs of learners on this machine.")
app.add_typer(sandbox, name="sandbox")
app.add_typer(lessons_app, name="lessons")
app.add_typer(cluster_app, name="cluster")
app.add_typer(instructor_app, name="instructor")
app.add_typer(learner_app, name="learner")
app.add_typer(class_app, name="class")
app.command()(receipt)
app.command()(retention)

Host = Annotated[str, typer.Option(envvar="HOST", help="Address to listen on.")]
Port = Annotated[int, typer.Option(envvar="PORT", min=0, max=65535, help="Port to listen on; 0 takes any free one.")]
Unconfined = Annotated[
    bool,
    typer.Option(
        SWITCH,
        help="DANGEROUS. Let programs do whatever you may do. Only on loopback; every page says so.",
        show_default=False,
    ),
]
Socket = Annotated[Path | None, typer.Option(help="The runner's Unix socket, instead of the one in the settings.")]
WebProcesses = Annotated[
    int | None,
    typer.Option(min=1, max=16, help="Web processes that share the port; more than one needs PostgreSQL.", show_default="the setting's"),
]
Migrate = Annotated[
    bool, typer.Option(MIGRATE, help="Before serving, back up and migrate a database of an earlier version.", show_default=False)
]


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gradroom {version('gradroom')}")
        raise typer.Exit


@app.callback()
def gradroom(
    asked: Annotated[bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    pass


@app.command()
def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    unconfined: Unconfined = False,
    migrate: Migrate = False,
    web_processes: WebProcesses = None,
) -> None:
    """Serve the classroom: the web server and the runner, both kept alive."""
    set_web_processes(web_processes)
    settings = prepare("serve")
    from app.serving.course_folders import require_courses
    from app.serving.serve import serve_processes

    with ending_refused():
        require_courses(settings)
        raise typer.Exit(serve_processes(settings, host, port, unconfined, [MIGRATE] if migrate else [], with_runner=True))


@app.command()
def author(
    folder: Annotated[Path | None, typer.Argument(help="The course's folder.", show_default="the server's")] = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    socket: Annotated[Path | None, typer.Option(help="Use the runner that listens there, instead of starting one.")] = None,
    allow_others: Annotated[
        bool,
        typer.Option("--allow-others", help="Also listen where others can reach it: they can then change the course.", show_default=False),
    ] = False,
) -> None:
    """Serve a course to the person who writes it: pages follow the files, and say what has to be fixed."""
    from app.serving.author import AUTHOR, set_author_settings

    with ending_refused():
        set_author_settings(folder, host, allow_others=allow_others)
        settings = prepare("author", socket)
        if not (settings.lessons_folder / "course.toml").is_file():
            typer.echo(f"There is no course.toml in {settings.lessons_folder}: `gradroom lessons new CHAPTER/LESSON` makes it.", err=True)
        if socket:
            from app.serving.entry import serve_web

            typer.echo(f"Gradroom will be at http://localhost:{port}/")
            serve_web(settings, host, port, author=True)
        else:
            from app.serving.serve import serve_processes

            raise typer.Exit(serve_processes(settings, host, port, False, [AUTHOR], with_runner=True))


@app.command()
def web(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    socket: Socket = None,
    fd: Annotated[list[int] | None, typer.Option(help="Inherited descriptors that already listen.", hidden=True)] = None,
    name: Annotated[str, typer.Option(help="The name of this process in the log.", hidden=True)] = "web",
    peer_fd: Annotated[int | None, typer.Option(help="An inherited descriptor that listens for other web processes.", hidden=True)] = None,
    peers: Annotated[Path | None, typer.Option(help="The folder with the sockets of the web processes.", hidden=True)] = None,
    unconfined: Unconfined = False,
    author: Annotated[bool, typer.Option("--author", help="In author mode, which `gradroom author` starts.", hidden=True)] = False,
    migrate: Migrate = False,
    web_processes: WebProcesses = None,
) -> None:
    """Serve the pages and the API; the runner is another process, started separately."""
    gc.disable()  # imported modules are never freed, and collections during the imports would take a tenth of the start
    set_web_processes(web_processes)
    settings = prepare(name, socket)
    from app.serving.course_folders import require_courses

    if not author:
        with ending_refused():
            require_courses(settings)
    if settings.web_processes > 1 and not fd:
        from app.serving.serve import serve_processes

        gc.enable()
        options = ["--socket", str(settings.socket), *([SWITCH] if unconfined else []), *([MIGRATE] if migrate else [])]
        with ending_refused():
            raise typer.Exit(serve_processes(settings, host, port, unconfined, options, with_runner=False))
    from app.serving.entry import serve_web

    with ending_refused():
        serve_web(
            settings,
            host,
            port,
            unconfined=unconfined,
            author=author,
            migrate_first=migrate,
            name=name,
            fds=fd or [],
            peer_fd=peer_fd,
            peers_folder=peers,
        )


@app.command()
def runner(socket: Socket = None, unconfined: Unconfined = False) -> None:
    """Run the programs of learners for a web server, over a Unix socket."""
    settings = prepare("runner", socket)
    from app.serving.entry import serve_programs

    if unconfined:
        typer.secho(WARNING, err=True, bold=True, fg="red")
    serve_programs(settings, unconfined)


@app.command()
def backup(file: Annotated[str, typer.Argument(help="Where it is written; - for standard output.")]) -> None:
    """Back up what is stored of learners and the key of their cookies, in one file. A server may run meanwhile."""
    from app.serving.operating import store_commands

    with store_command() as settings:
        store_commands.back_up(settings, file, print_message)


@app.command()
def restore(
    file: Annotated[str, typer.Argument(help="A backup; - for standard input.")],
    force: Annotated[bool, typer.Option("--force", help="Put an existing database aside.", show_default=False)] = False,
) -> None:
    """Put a backup in the place of the database, while no server uses it."""
    from app.serving.operating import store_commands

    with store_command() as settings:
        store_commands.restore(settings, file, force=force, say=print_message)


@app.command()
def migrate(
    backup: Annotated[bool, typer.Option("--backup", help="First back up the database, in a file beside it.", show_default=False)] = False,
    to: Annotated[
        str | None, typer.Option(help="Go to this version of the tables; it may be an earlier one.", show_default="the newest")
    ] = None,
) -> None:
    """Bring the database of an earlier Gradroom up to date, or make a missing database."""
    from app.serving.operating import store_commands

    with store_command() as settings:
        store_commands.migrate(settings, backup=backup, to=to, say=print_message)


@app.command()
def move(
    to: Annotated[
        str | None,
        typer.Option(
            help="URL of an empty PostgreSQL database, without a password: everybody can see it here.",
            show_default="GRADROOM_DATABASE_URL, if it is one",
        ),
    ] = None,
) -> None:
    """Copy an SQLite database to PostgreSQL, while no server uses it."""
    from app.serving.operating import store_commands

    with store_command() as settings:
        store_commands.move_database(settings, to, print_message)


@app.command()
def loadtest(
    url: Annotated[str, typer.Argument(help="The server's address, as learners type it.")] = "http://127.0.0.1:8000",
    learners: Annotated[int, typer.Option(min=1, max=1000, help="Learners at once.")] = 40,
    minutes: Annotated[float, typer.Option(min=0.05, max=60, help="How long the class lasts.")] = 2,
    seed: Annotated[int, typer.Option(help="For all that is random: another seed, another class.")] = 0,
    ca: Annotated[
        Path | None, typer.Option(help="Certificate of an authority to trust in addition to those of this machine (PEM).")
    ] = None,
    class_code: Annotated[
        str | None, typer.Option("--class", metavar="CODE", help="The code of a class, made for the rehearsal, which the learners join.")
    ] = None,
    instructor: Annotated[
        str | None,
        typer.Option(metavar="LINK", help="A link for somebody who teaches that class, who then has the board open. It is used up."),
    ] = None,
    operated: Annotated[
        bool,
        typer.Option(
            "--i-operate-this-server", help="Also rehearse on a server that is not this machine, because it is yours.", show_default=False
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Rehearse a class: learners open pages, think, run the cells of the lessons, and several times all press Run at once.

    Status 0: ready for such a class; 1: slow, or something failed; 2: it could not be rehearsed; 130: interrupted. Ctrl+C ends it at
    once, with the report so far.
    """
    if instructor and not class_code:
        raise typer.BadParameter("--instructor needs --class")
    from app.loadtest.command import run_loadtest

    status = run_loadtest(
        url,
        learners=learners,
        minutes=minutes,
        seed=seed,
        authority=ca,
        operated=operated,
        as_json=as_json,
        class_code=class_code,
        instructor_link=instructor,
    )
    raise typer.Exit(status)


@app.command()
def doctor(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Python programs that call a torch.autograd.Function.")],
    lang: Annotated[Literal["en", "zh-Hans"], typer.Option(help="The language of the sentences.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.", show_default=False)] = False,
    as_sarif: Annotated[bool, typer.Option("--sarif", help="Print SARIF 2.1.0.", show_default=False)] = False,
    fail_on: Annotated[
        Literal["error", "warning", "never"], typer.Option(help="The least severe finding that makes the status other than 0.")
    ] = "warning",
) -> None:
    """Run programs in the sandbox and say what is wrong with their Functions, at which line, and what to change.

    Status 0: nothing was found, or only hints; 1: warnings; 2: errors; 3: a file could not be run. Nothing leaves this machine.
    """
    if as_json and as_sarif:
        raise typer.BadParameter("--json and --sarif exclude each other")
    from app.authoring.doctor.doctor_command import run_doctor

    form: Literal["text", "json", "sarif"] = "json" if as_json else "sarif" if as_sarif else "text"
    raise typer.Exit(run_doctor(files, lang=lang, form=form, fail_on=fail_on))


@sandbox.command()
def check(
    socket: Annotated[Path | None, typer.Option(help="Ask the runner that listens there, instead of starting one.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what GET /api/sandbox answers.")] = False,
) -> None:
    """Start a runner, let it attack itself, and show what confines programs here. The status is 1 unless programs run and are confined."""
    prepare("sandbox")
    from app.serving.confinement.sandbox_check import ask_sandbox, inspect_sandbox

    answer = ask_sandbox(socket) if socket else inspect_sandbox()
    if as_json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(answer)).decode())
    else:
        from rich.console import Console

        from app.serving.confinement.sandbox_table import print_sandbox

        print_sandbox(answer, Console(highlight=False))
    if not (answer.safe and answer.ready):
        raise typer.Exit(1)


def set_web_processes(count: int | None) -> None:
    """Set the number of web processes that was given as an option as an environment variable, for this process and its children."""
    if count is not None:
        from app.settings import PREFIX

        os.environ[f"{PREFIX}WEB_PROCESSES"] = str(count)


def main() -> None:
    """Run the command."""
    signal.signal(signal.SIGTERM, leave)
    app()


def leave(number: int, frame: FrameType | None) -> NoReturn:
    """Exit with an exception, so that context managers close what is open. Only a server has then done what it should."""
    sys.exit(0 if sys.argv[1:2] and sys.argv[1] in SERVERS else 128 + number)


if __name__ == "__main__":
    main()
