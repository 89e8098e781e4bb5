"""Decides whether a warm zygote may serve: the host must grant enough, and a child of the zygote must be refused every attack."""

import asyncio
from collections.abc import Callable

import structlog

from app.protocol.sandbox import SandboxReport
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.conversation.frames import FrameMalformed, FrameTooLarge
from app.runner.zygotes.self_check import run_self_check
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.sandbox.cgroups.cgroup import Grant
from app.sandbox.verification.assessment import assess, shortcomings
from app.sandbox.verification.verification import NotConfined

_READY_SECONDS = 10.0  # a child needs some 20 ms on a quiet machine

_log = structlog.get_logger()


class ChildLate(ChildLost):
    """A child did not become ready in time."""


class Unfit(Exception):
    """A zygote does not confine its children as it must. The message is for an operator; `report` has the details."""

    def __init__(self, reason: str, report: SandboxReport) -> None:
        super().__init__(reason)
        self.report = report


async def examine(zygote: ZygoteHandle, grant: Grant, fork: Callable[[], ChildHandle]) -> SandboxReport:
    """Return the report of a zygote that is fit to serve. `grant`: the control groups that its children get. `fork`: returns a child of it.

    Fails closed: raises Unfit or ChildLost unless everything was proven.
    """
    host = zygote.host
    report = assess(host, grant)
    if not zygote.confined:
        return report  # the report says that nothing protects this host
    if not report.safe:
        raise Unfit("; ".join(shortcomings(host)), report)
    child = fork()
    try:
        await until_ready(child)
        report.checks = await run_self_check(child, host)
    finally:
        child.kill()
        child.close()
    if allowed := [check.name for check in report.checks if not check.passed]:
        report.safe = False
        raise Unfit(f"the sandbox did not refuse: {', '.join(allowed)}", report)
    if not zygote.alive:
        raise ChildLost("the zygote ended while it was examined")
    return report


async def until_ready(child: ChildHandle) -> None:
    """Wait until a child is confined and verified. Raises ChildLost, or ChildLate."""
    try:
        async with asyncio.timeout(_READY_SECONDS):
            await asyncio.shield(child.ready)
    except TimeoutError:
        raise ChildLate("a child did not become ready in time") from None
    except (NotConfined, FrameMalformed, FrameTooLarge, OSError) as error:
        _log.error("child_refused", reason=str(error))
        raise ChildLost(str(error)) from error
