"""Runs the rows in the sandbox like any program, several at a time, and judges the results.

Those of some groups, which are single system calls, share one child (`table`)."""

import asyncio
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import msgspec

from app.protocol.event import RunEvent
from app.protocol.limits import Limits
from app.protocol.records.figure import FigureRecord
from app.protocol.records.graph import GraphRecord
from app.protocol.records.registry import decode_records
from app.protocol.run import DEFAULT_RUNTIME, Program, RunOrder, RunResult, RuntimeName, Source
from app.runner.socket_runner import SocketRunner
from app.settings import Settings
from tests.patience import wait_for
from tests.programs import START_SECONDS, Programs, running_programs
from tests.sandbox.hostile.baseline import Baseline, become_subreaper
from tests.sandbox.hostile.row import Row
from tests.sandbox.hostile.table import GROUPS, join_rows, part_result

IN_FLIGHT = 8
SECRET = "the-secret-of-this-server"  # in the runner's environment, and in that of the twins
_RECYCLES = re.compile(r'^gradroom_zygote_recycles\{runtime="(\w+)"\} (.+)$', re.MULTILINE)
WRITABLE_FILE = "writable-file"  # a file beside the runs' folders to which anybody could write without the sandbox


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The verdict on a row, or on what a group left behind. `wrong` is empty if the attempt was contained."""

    name: str
    outcome: str
    wrong: list[str]


@dataclass(frozen=True, kw_only=True)
class AttackedRunner:
    """A runner with the sandbox of this setting, its scratch folder and its baseline."""

    programs: Programs
    setting: str
    runtime: RuntimeName
    baseline: Baseline
    scratch: Path


@contextmanager
def started_runner(runtime: RuntimeName) -> Iterator[AttackedRunner]:
    """Within the block, run a runner with children of this runtime."""
    become_subreaper()
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        scratch = Path(folder)
        scratch.chmod(0o755)
        writable = scratch / WRITABLE_FILE
        writable.write_text(SECRET)
        writable.chmod(0o666)
        os.environ |= {"GRADROOM_SCRATCH_FOLDER": folder, "GRADROOM_STATE_FOLDER": f"{folder}/state", "GRADROOM_LOG_LEVEL": "error"}
        os.environ |= {"GRADROOM_COOKIE_SECRET": SECRET, "GRADROOM_CONCURRENCY": str(IN_FLIGHT)}
        with running_programs() as programs:
            programs.events("", runtime=runtime)  # from now on it has children of this runtime
            report = programs.status().sandbox
            assert report is not None
            if Settings().zygote_early:  # a full zygote replaces each that was ready early
                wait_for(lambda: _full_zygotes(programs) >= {DEFAULT_RUNTIME, runtime}, seconds=START_SECONDS)
            baseline = Baseline(programs.process.pid, scratch)
            yield AttackedRunner(programs=programs, setting=report.setting, runtime=runtime, baseline=baseline, scratch=scratch)


def _full_zygotes(programs: Programs) -> set[str]:
    """Return the runtimes whose early zygote was replaced by a full one."""
    return {runtime for runtime, count in _RECYCLES.findall(asyncio.run(_metrics(programs))) if float(count)}


async def _metrics(programs: Programs) -> str:
    async with SocketRunner(programs.socket) as runner:
        return await runner.metrics()


def applicable(rows: Iterable[Row], setting: str, runtime: RuntimeName) -> list[Row]:
    return [row for row in rows if setting in row.settings and runtime in row.runtimes and row.machine in (None, os.uname().machine)]


async def judge_rows(runner: AttackedRunner, rows: Iterable[Row], tell: Callable[[Judged], None], in_flight: int = IN_FLIGHT) -> None:
    """Yield the verdict on every row and, after each group, on what it left behind."""
    for group, members in groupby(rows, key=lambda row: row.group):
        places = asyncio.Semaphore(in_flight)
        if group in GROUPS:
            for verdict in await judge_together(runner, list(members)):
                tell(verdict)
        else:
            for judged in asyncio.as_completed([judge_row(runner, row, places) for row in members]):
                tell(await judged)
        tell(await judge_aftermath(runner, group))


async def judge_row(runner: AttackedRunner, row: Row, places: asyncio.Semaphore) -> Judged:
    async with places:
        events = await runner.programs.collect(order_row(row, runner.runtime))
    last = events[-1]
    if not isinstance(last, RunResult):
        return Judged(name=row.name, outcome="none", wrong=[f"the runner failed: {last!r}"])
    return Judged(name=row.name, outcome=last.outcome.value, wrong=find_wrong(row, last))


async def judge_together(runner: AttackedRunner, rows: list[Row]) -> list[Judged]:
    """Return the verdicts on rows that share one child."""
    last = (await runner.programs.collect(order_row(join_rows(rows), runner.runtime)))[-1]
    parts = part_result(last) if isinstance(last, RunResult) else {}
    unreached = [f"the child that its group shares did not come to its end: {str(last)[-400:]}"]
    return [
        Judged(name=row.name, outcome=part.outcome.value, wrong=find_wrong(row, part))
        if (part := parts.get(row.name))
        else Judged(name=row.name, outcome="none", wrong=unreached)
        for row in rows
    ]


def order_row(row: Row, runtime: RuntimeName) -> RunOrder:
    program, limits = Program(source=Source(text=row.source)), Limits(deadline_seconds=row.deadline_seconds)
    return RunOrder(program=program, runtime=runtime, limits=limits, learner=row.name, address=row.name)


def find_wrong(row: Row, result: RunResult) -> list[str]:
    """Return what differs from the row's header, as text."""
    error = result.error
    spoken = "\n".join(
        [result.stdout, result.stderr, *((error.type, error.message, error.explanation or "", error.name or "") if error else ())]
    )
    drawn = [record for record in decode_records(result.records) if isinstance(record, GraphRecord | FigureRecord)]
    spoken += "".join(record.note or "" for record in drawn)
    pictures = "".join(record.svg or "" for record in drawn)
    graphs = [record for record in drawn if isinstance(record, GraphRecord)]
    pictures += "".join(svg for graph in graphs for svg in (graph.folded_svg, *(fold.svg for fold in graph.folds)) if svg)
    shown = spoken if row.where == "output" else pictures
    wrong = []
    if result.outcome not in row.outcomes:
        wrong.append(f"it {result.outcome.value}, not {' or '.join(sorted(row.outcomes))}: {spoken.strip()[-400:]}")
    if row.mark in shown:
        wrong.append(f"the attempt worked: {spoken.strip()[-400:]}")
    if row.says not in spoken:
        wrong.append(f"it does not say {row.says!r}: {spoken.strip()[-400:]}")
    if len(result.stdout) + len(result.stderr) > Limits().output_bytes or len(result.records) > 500:
        wrong.append(f"it got {len(result.stdout)} and {len(result.stderr)} characters and {len(result.records)} records past the caps")
    if row.where == "pictures" and not pictures:
        wrong.append("there is no picture to look at")
    return wrong


async def judge_aftermath(runner: AttackedRunner, group: str) -> Judged:
    """Check that a harmless run works, and that no process and no file is left."""
    events: list[RunEvent] = await runner.programs.collect(order_harmless(runner.runtime))
    last = events[-1]
    wrong = []
    if not (isinstance(last, RunResult) and last.stdout == "[]\n"):
        wrong.append(f"the next harmless run: {msgspec.to_builtins(last)}")
    wrong += await asyncio.to_thread(runner.baseline.find_leftovers)
    writable = runner.scratch / WRITABLE_FILE
    if writable.read_text() != SECRET or writable.stat().st_mode & 0o777 != 0o666:
        wrong.append("a file outside the runs' folders was changed")
    return Judged(name=f"{group}/afterwards", outcome="clean" if not wrong else "left", wrong=wrong)


def order_harmless(runtime: RuntimeName) -> RunOrder:
    program = Program(source=Source(text="import os\nprint(os.listdir())"))
    return RunOrder(program=program, runtime=runtime, learner="harmless", address="harmless")
