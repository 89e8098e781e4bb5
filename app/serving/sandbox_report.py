"""What confines programs on this machine, asked of a runner that is started for the question."""

import asyncio
import contextlib
import sys
import tempfile
from pathlib import Path

from app.protocol.sandbox import Check, Layer, RunnerStatus
from app.runner.client import RunnerUnavailable, SocketRunner
from app.serving.child import ended, start

START_SECONDS = 60.0
POLL_SECONDS = 0.1


def inspect() -> RunnerStatus:
    """The status of a fresh runner, once it can run programs or knows why it cannot."""
    with tempfile.TemporaryDirectory(prefix="gradroom-") as folder:
        return asyncio.run(ask_runner(Path(folder, "runner.sock")))


async def ask_runner(socket: Path) -> RunnerStatus:
    process = start((sys.executable, "-P", "-m", "app.cli", "runner", "--socket", str(socket)), ())
    client = SocketRunner(socket)
    status = RunnerStatus(ready=False, reason="the runner does not answer")
    try:
        async with asyncio.timeout(START_SECONDS):
            while process.poll() is None and not (status.ready or (status.sandbox and not status.sandbox.safe)):
                await asyncio.sleep(POLL_SECONDS)
                with contextlib.suppress(RunnerUnavailable):
                    status = await client.status()
    except TimeoutError:
        pass
    finally:
        await client.close()
        process.terminate()
        await ended(process)
        process.wait()
    return status


def render_status(status: RunnerStatus) -> str:
    """The status as text for a terminal."""
    verdict = "Programs are run here." if status.ready else f"Programs are NOT run here: {status.reason}"
    report = status.sandbox
    if report is None:
        return verdict
    lines = [f"Setting: {report.setting}", "", *map(render_layer, report.layers), ""]
    lines += [f"{'refused ' if check.passed else 'ALLOWED '} {render_check(check)}" for check in report.checks]
    lines += ["", *(f"Weaker than it could be: {weakness}" for weakness in report.degraded), verdict]
    return "\n".join(lines)


def render_layer(layer: Layer) -> str:
    instead = f"; instead: {layer.stands_in}" if layer.stands_in else ""
    return f"{'active  ' if layer.active else 'absent  '} {layer.name}: {layer.detail}{instead}"


def render_check(check: Check) -> str:
    return f"{check.name}: {check.detail}" if check.detail else check.name
