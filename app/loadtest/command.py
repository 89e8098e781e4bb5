"""`gradroom loadtest`: runs the load test, prints its report and returns the exit status."""

import asyncio
import signal
import ssl
from pathlib import Path

import msgspec
import typer
from rich.console import Console

from app.loadtest.loadtest import Loadtest, NotTestable, play_class
from app.loadtest.pace import CLASS_WAVES, WAVES, Pace
from app.loadtest.progress import LoadtestProgress
from app.loadtest.readiness import Grade, Readiness, assess
from app.loadtest.report import LoadtestReport
from app.loadtest.report_table import print_report
from app.loadtest.server_address import AddressRefused, find_server
from app.machine import raise_descriptors

READY, NOT_READY, NOT_TESTED, INTERRUPTED = 0, 1, 2, 130


def run_loadtest(
    url: str,
    *,
    learners: int,
    minutes: float,
    seed: int,
    authority: Path | None,
    operated: bool,
    as_json: bool,
    class_code: str | None = None,
    instructor_link: str | None = None,
) -> int:
    """Run the load test, print its report and return the exit status.

    `authority` is a file with a certificate to trust. `operated` is true if the user says that they operate the server. `class_code` is
    that of a class to join, and `instructor_link` signs in somebody who teaches it.
    """
    raise_descriptors()  # a large class has more connections than the 1,024 files that are usual
    try:
        server = find_server(url, operated=operated)
        pace = Pace(learners, minutes * 60, CLASS_WAVES if class_code else WAVES)
        loadtest = Loadtest(server, trust_in(authority), pace, seed, class_code, instructor_link)
        report = asyncio.run(play_until_interrupted(loadtest))
    except (AddressRefused, NotTestable) as error:
        typer.echo(str(error), err=True)
        return NOT_TESTED
    except asyncio.CancelledError:  # interrupted twice
        return INTERRUPTED
    readiness = assess(report)
    if as_json:
        typer.echo(encode(report, readiness))
    else:
        print_report(report, readiness, Console(highlight=False))
    if report.interrupted:
        return INTERRUPTED
    return READY if readiness.grade == Grade.READY else NOT_READY


async def play_until_interrupted(loadtest: Loadtest) -> LoadtestReport:
    """Run the load test. The first SIGINT or SIGTERM ends it early, with a report up to then. The second cancels it without a report."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        if stop.is_set():
            task.cancel()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    with LoadtestProgress(Console(stderr=True, highlight=False), loadtest.pace.seconds) as progress:
        return await play_class(loadtest, stop, progress)


def trust_in(authority: Path | None) -> ssl.SSLContext:
    """Return a context that trusts this machine's authorities and `authority`. Raises AddressRefused if that file has no certificate."""
    context = ssl.create_default_context()
    if authority is not None:
        try:
            context.load_verify_locations(authority)
        except OSError as error:  # an ssl.SSLError too
            raise AddressRefused(f"{authority} holds no certificate that can be used: {error}") from None
    return context


def encode(report: LoadtestReport, readiness: Readiness) -> str:
    """Return the JSON that `--json` prints."""
    answer = {"grade": readiness.grade, "verdict": readiness.words, "advice": readiness.advice, "report": report}
    return msgspec.json.format(msgspec.json.encode(answer)).decode()
