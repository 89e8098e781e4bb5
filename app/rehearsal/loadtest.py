"""`gradroom loadtest`: from what was asked for to a printed report and a status."""

import asyncio
import signal
import ssl
from pathlib import Path

import msgspec
import typer
from rich.console import Console

from app.machine import raise_descriptors
from app.rehearsal.pace import Pace
from app.rehearsal.readiness import Grade, Readiness, judge
from app.rehearsal.rehearsal import NotRehearsable, Rehearsal, rehearse
from app.rehearsal.rehearsal_progress import RehearsalProgress
from app.rehearsal.rehearsal_report import RehearsalReport
from app.rehearsal.rehearsal_table import print_rehearsal
from app.rehearsal.server_address import AddressRefused, find_server

READY, NOT_READY, NOT_REHEARSED, INTERRUPTED = 0, 1, 2, 130


class LoadtestAnswer(msgspec.Struct, kw_only=True):
    """What `--json` prints."""

    grade: Grade
    verdict: str
    advice: list[str]
    report: RehearsalReport


def run_loadtest(url: str, *, learners: int, minutes: float, seed: int, authority: Path | None, operated: bool, as_json: bool) -> int:
    """Rehearses, prints, and returns the exit status."""
    raise_descriptors()  # a large class has more connections than the 1,024 files that are usual
    try:
        server = find_server(url, operated=operated)
        rehearsal = Rehearsal(server, trust_in(authority), Pace(learners, minutes * 60), seed)
        report = asyncio.run(rehearse_until_interrupted(rehearsal))
    except (AddressRefused, NotRehearsable) as error:
        typer.echo(str(error), err=True)
        return NOT_REHEARSED
    except asyncio.CancelledError:  # interrupted twice
        return INTERRUPTED
    readiness = judge(report)
    if as_json:
        typer.echo(encode(report, readiness))
    else:
        print_rehearsal(report, readiness, Console(highlight=False))
    if report.interrupted:
        return INTERRUPTED
    return READY if readiness.grade == Grade.READY else NOT_READY


async def rehearse_until_interrupted(rehearsal: Rehearsal) -> RehearsalReport:
    """A first SIGINT or SIGTERM ends the class at once, and what was seen is reported; a second one ends the command."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        if stop.is_set():
            task.cancel()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    with RehearsalProgress(Console(stderr=True, highlight=False), rehearsal.pace.seconds) as progress:
        return await rehearse(rehearsal, stop, progress)


def trust_in(authority: Path | None) -> ssl.SSLContext:
    """The authorities that this machine believes, and the given one. Raises AddressRefused where its file cannot be used."""
    context = ssl.create_default_context()
    if authority is not None:
        try:
            context.load_verify_locations(authority)
        except OSError as error:  # an ssl.SSLError too
            raise AddressRefused(f"{authority} holds no certificate that can be used: {error}") from None
    return context


def encode(report: RehearsalReport, readiness: Readiness) -> str:
    answer = LoadtestAnswer(grade=readiness.grade, verdict=readiness.words, advice=readiness.advice, report=report)
    return msgspec.json.format(msgspec.json.encode(answer)).decode()
