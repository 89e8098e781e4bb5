"""`gradroom cluster`: several machines that run programs."""

import asyncio
import os
import signal
import socket as sockets
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.serving.command_line import ending_refused, prepare, print_message
from app.serving.command_refused import CommandRefused

if TYPE_CHECKING:
    from app.protocol.sandbox import RunnerStatus
    from app.settings import Settings

cluster_app = typer.Typer(no_args_is_help=True, help="Several machines that run programs (docs/many-machines.md).")
Name = Annotated[str, typer.Option(help="This machine's name: 1 to 16 letters and digits; run ids begin with it.")]
Address = Annotated[str | None, typer.Option(help="This machine's IP address for the others.", show_default="the one of its usual route")]
Keys = Annotated[Path | None, typer.Option(help="The folder of the cluster's secrets.", show_default="cluster in the state folder")]
Host = Annotated[str, typer.Option(help="Address on which the entry listens, which web asks.")]
Port = Annotated[int, typer.Option(help="Its port, the same on all machines.")]


@cluster_app.command()
def start(
    name: Name,
    address: Address = None,
    ray_port: Annotated[int, typer.Option(help="Port of Ray's head.")] = 6379,
    keys: Keys = None,
    host: Host = "0.0.0.0",
    port: Port = 8000,
    redis: Annotated[
        str | None, typer.Option(help="HOST:PORT of a Redis for Ray's state, so that the cluster survives the end of its head.")
    ] = None,
    runs: Annotated[bool, typer.Option("--runs/--no-runs", help="Whether this machine runs programs, too.")] = True,
) -> None:
    """Start a cluster with this machine as its head."""
    settings = prepare("cluster")
    with ending_refused():
        from app.cluster.key_folder import KeyFolder

        folder = KeyFolder(keys or settings.state_folder / "cluster", settings.state_folder / "node")
        require_extra()
        folder.make()
        own = address or find_address()
        print_message(
            f"On the other machines: copy {folder.folder}, then `gradroom cluster join {own}:{ray_port} --name NAME`.\n"
            f"For web: GRADROOM_RUNNER=ray://{own}:{port} and GRADROOM_RUNNER_TOKEN from {folder.run_token}."
        )
        run_node(settings, folder.folder, name, own, f"{own}:{ray_port}", host, port, redis=redis, runs=runs, is_head=True)


@cluster_app.command()
def join(
    head: Annotated[str, typer.Argument(help="HOST:PORT of Ray's head.")],
    name: Name,
    address: Address = None,
    keys: Keys = None,
    host: Host = "0.0.0.0",
    port: Port = 8000,
) -> None:
    """Let this machine run programs for a cluster."""
    settings = prepare("cluster")
    with ending_refused():
        folder = keys or settings.state_folder / "cluster"
        run_node(settings, folder, name, address or find_address(), head, host, port, redis=None, runs=True, is_head=False)


@cluster_app.command()
def leave() -> None:
    """Let the runs of this machine end, and take it out of its cluster."""
    settings = prepare("cluster")
    note = settings.state_folder / "node" / "pid"
    with ending_refused():
        try:
            pid = int(note.read_text())
            descriptor = os.pidfd_open(pid)
            signal.pidfd_send_signal(descriptor, signal.SIGTERM)
        except (OSError, ValueError):
            raise CommandRefused(f"This machine is in no cluster: {note} names no process.") from None
        print_message("Its runs end, and it accepts no more.")


@cluster_app.command()
def status(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.", show_default=False)] = False) -> None:
    """Show the machines of the cluster that GRADROOM_RUNNER names. Status 1: none of them accepts runs."""
    settings = prepare("cluster")
    with ending_refused():
        if not settings.entries:
            raise CommandRefused("GRADROOM_RUNNER names no cluster: expected ray://HOST:PORT")
    found = asyncio.run(ask(settings))
    if as_json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(found.nodes)).decode())
    else:
        for node in found.nodes:
            words = f"{node.runs} runs in {node.places} places, {node.waiting} wait, {node.spares} spares, build {node.build}"
            typer.echo(f"{node.name}: {'accepts runs' if node.accepts else node.reason}; {words}")
    if not found.ready:
        print_message(found.reason or "no node accepts runs")
        raise typer.Exit(1)


async def ask(settings: "Settings") -> "RunnerStatus":
    from app.protocol.sandbox import RunnerStatus
    from app.runner.client import RunnerError
    from app.runner.cluster.ray_runner import RayRunner

    token = settings.runner_token.get_secret_value() if settings.runner_token else ""
    try:
        async with RayRunner(settings.entries, token) as runner:
            return await runner.status()
    except RunnerError as error:
        return RunnerStatus(ready=False, reason=str(error))


def run_node(
    settings: "Settings",
    folder: Path,
    name: str,
    address: str,
    head: str,
    host: str,
    port: int,
    *,
    redis: str | None,
    runs: bool,
    is_head: bool,
) -> None:
    """Run this machine's part of a cluster until a signal ends it. Raises CommandRefused."""
    import re

    from app.cluster.node_plan import NodePlan
    from app.cluster.node_service import serve_node
    from app.protocol.load import NODE_NAME
    from app.settings import SECRETS

    require_extra()
    if not re.fullmatch(NODE_NAME, name):
        raise CommandRefused(f"--name: {name!r} was given; expected 1 to 16 small letters and digits")
    for secret in SECRETS:  # which no node needs
        if getattr(settings, secret) is not None:
            raise CommandRefused(f"A machine that runs programs must not know GRADROOM_{secret.upper()}: unset it here.")
    plan = NodePlan(
        name=name,
        address=address,
        head=head,
        is_head=is_head,
        runs=runs,
        host=host,
        port=port,
        redis=redis,
        secrets_folder=folder.resolve(),
        own_folder=(settings.state_folder / "node").resolve(),
        socket=settings.socket.resolve(),
    )
    plan.keys.require()
    usual = address
    with suppress(CommandRefused):  # Ray uses the usual one where it is told a loopback address
        usual = find_address()
    plan.keys.issue([address, usual])
    raise typer.Exit(serve_node(plan))


def require_extra() -> None:
    if find_spec("ray") is None:
        raise CommandRefused("Ray is not installed: pip install 'gradroom[ray]'")


def find_address() -> str:
    """Return the address from which this machine sends by its usual route. Nothing is sent."""
    with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    raise CommandRefused("This machine has no route to others: say its address with --address")
