"""The processes of a node: its runner, Ray, and what keeps its relay deployed. `gradroom cluster start` and `join` run them.

gradroom cluster join ──┬── gradroom runner       executes programs, outside Ray and without a secret
                        ├── ray_process           `ray start` and all that it starts
                        └── keeper                deploys the relay
"""

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from signal import SIGINT, SIGTERM

import structlog

from app.cluster.node_plan import NodePlan
from app.cluster.ray_process import end_noted_session, find_entries, stop_accepting
from app.protocol.sandbox import RunnerStatus
from app.runner.client import RunnerError, RunnerUnavailable
from app.runner.socket_runner import RunnerSocket, SocketRunner
from app.serving.command_line import GRADROOM
from app.serving.command_refused import REFUSED_STATUS, CommandRefused
from app.serving.confinement.sandbox_check import is_settled
from app.serving.serve import cancel
from app.serving.supervised_process import SupervisedProcess

CHECK_SECONDS = 120.0
POLL_SECONDS = 0.2
DRAIN_SECONDS = 65.0  # longer than any program may take
END_SECONDS = 30.0
REDIS_NAMESPACE = "gradroom"  # of the keys in Redis

log = structlog.get_logger()


def serve_node(plan: NodePlan) -> int:
    """Run the node until SIGTERM or SIGINT, then let its runs end. Return the exit status. Raises CommandRefused."""
    if plan.redis:
        os.environ |= {"RAY_REDIS_ADDRESS": plan.redis, "RAY_external_storage_namespace": REDIS_NAMESPACE}
    os.environ["GRADROOM_NODE"] = plan.name
    plan.socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    note = plan.own_folder / "pid"
    note.write_text(str(os.getpid()))
    try:
        return asyncio.run(supervise_node(plan))
    finally:
        note.unlink(missing_ok=True)


async def supervise_node(plan: NodePlan) -> int:
    stop = asyncio.Event()
    for number in (SIGTERM, SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    module = (sys.executable, "-P", "-m")
    folders = str(plan.secrets_folder), str(plan.own_folder)
    runner = SupervisedProcess("runner", (*GRADROOM, "runner", "--socket", str(plan.socket)))
    ray = SupervisedProcess("ray", (*module, "app.cluster.ray_process", *folders, "--", *plan.ray_options))
    keeper = SupervisedProcess("keeper", (*module, "app.cluster.keeper", plan.encode()))
    keeping: list[asyncio.Task[None]] = []
    stopping = asyncio.create_task(stop.wait())
    try:
        keeping += [asyncio.create_task(child.keep_alive()) for child in ([runner] if plan.runs else []) + [ray]]
        if plan.runs:  # Ray starts meanwhile; a node that comes back has its relay then, but its runner accepts no run before
            await check_node(plan, stopping, keeping[0])
        keeping.append(asyncio.create_task(keeper.keep_alive()))
        await asyncio.wait((stopping, *keeping), return_when=asyncio.FIRST_COMPLETED)
        if stopping.done():
            await drain(plan)
        return 0 if stopping.done() else REFUSED_STATUS
    finally:
        await cancel(stopping, *keeping)
        for child in (keeper, ray, runner):
            await child.end(END_SECONDS)
        await asyncio.to_thread(end_noted_session, plan.keys)  # if Ray's command had to be killed


async def check_node(plan: NodePlan, stopping: "asyncio.Task[bool]", runner: "asyncio.Task[None]") -> None:
    """Wait until the runner has attacked itself, as in `gradroom sandbox check`. Raises CommandRefused if it is not confined."""
    status = RunnerStatus(ready=False, reason="the runner does not answer")
    with suppress(TimeoutError):
        async with asyncio.timeout(CHECK_SECONDS), SocketRunner(plan.socket) as client:
            while not (is_settled(status) or stopping.done() or runner.done()):
                await asyncio.sleep(POLL_SECONDS)
                with suppress(RunnerUnavailable):
                    status = await client.status()
    if not stopping.done() and not (status.ready and status.sandbox and status.sandbox.safe):
        raise CommandRefused(
            f"The node {plan.name} does not join: programs would not be confined here ({status.reason or 'see `gradroom sandbox check`'})."
        )
    log.info("node_checked", node=plan.name, degraded=status.sandbox.degraded if status.sandbox else [])


async def drain(plan: NodePlan) -> None:
    """Let the runner and the entry accept nothing more, and wait until the runs have ended that were accepted."""
    stop_accepting(plan.keys)
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            if plan.runs:
                await drain_runner(plan.socket)
            while find_entries(plan.keys):
                await asyncio.sleep(POLL_SECONDS)


async def drain_runner(socket: Path) -> None:
    """Let the runner accept nothing more, and wait until its runs have ended."""
    http = RunnerSocket(socket)
    try:
        with suppress(RunnerError):
            async with SocketRunner(socket) as client:
                (await http.send("POST", "/drain")).release()
                while (status := await client.status()).active or status.queued:
                    await asyncio.sleep(POLL_SECONDS)
    finally:
        await http.close()
