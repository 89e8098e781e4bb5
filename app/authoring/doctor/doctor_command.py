"""`gradroom doctor`: runs each file in the sandbox, traced and examined by the doctor, and prints what it found."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import typer

from app.authoring.author_runner import author_runner
from app.authoring.doctor.file_report import SEVERITIES, FileReport, make_report
from app.authoring.doctor.json_report import render_json
from app.authoring.doctor.sarif_report import render_sarif
from app.authoring.doctor.text_report import print_report, print_summary
from app.authoring.last_event import CheckError, wait_for_last
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.instrument_facts import DOCTOR, TRACE
from app.protocol.limits import NUL, SOURCE_BYTES, Limits
from app.protocol.run import Lang, Program, RunOrder, RunResult, Source
from app.runner.client import Runner, RunnerError
from app.settings import Settings, SettingsError, load_settings

Format = Literal["text", "json", "sarif"]
FailOn = Literal["error", "warning", "never"]
NOTHING, WARNINGS, ERRORS, NOT_RUN = 0, 1, 2, 3  # the exit status
DEADLINE_SECONDS = 60.0  # for each file; whoever runs the command may wait longer than a learner


class UnreadableProgram(Exception):
    """A file cannot be run; the message says why."""


def run_doctor(files: Sequence[Path], *, lang: Lang, form: Format, fail_on: FailOn) -> int:
    """Examine the files and print the findings. Return the exit status."""
    reports: list[FileReport] = []
    try:
        asyncio.run(_examine_all(files, load_settings(), lang, form, reports))
    except (RunnerError, SettingsError) as error:
        typer.echo(f"Nothing can be run: {error}", err=True)
        return NOT_RUN
    if form == "json":
        typer.echo(render_json(reports).decode())
    elif form == "sarif":
        typer.echo(render_sarif(reports, lang).decode())
    else:
        print_summary(reports, lang)
    return find_status(reports, fail_on)


def find_status(reports: Sequence[FileReport], fail_on: FailOn) -> int:
    """Return the exit status. If a file was not run, this is NOT_RUN, whatever was found in other files."""
    if any(report.failure for report in reports):
        return NOT_RUN
    worst = max((SEVERITIES.index(one.severity) for report in reports for one in report.findings), default=0)
    if fail_on == "never" or worst < SEVERITIES.index(fail_on):
        return NOTHING
    return ERRORS if SEVERITIES[worst] == "error" else WARNINGS


async def _examine_all(files: Sequence[Path], settings: Settings, lang: Lang, form: Format, reports: list[FileReport]) -> None:
    """Examine the files one after the other, and add their reports. As text, each is printed at once. Raises RunnerError."""
    async for report in examine(files, settings, lang):
        reports.append(report)
        if report.failure:
            typer.echo(f"{report.file}: {report.failure}", err=True)
        elif form == "text":
            print_report(report)


async def examine(files: Sequence[Path], settings: Settings, lang: Lang) -> AsyncIterator[FileReport]:
    """Yield the report of each file. No runner is started if no file can be read. Raises RunnerError."""
    sources: dict[Path, str] = {}
    for file in files:
        try:
            sources[file] = read_source(file)
        except UnreadableProgram as error:
            yield FileReport(file=file, failure=str(error))
    if not sources:
        return
    async with author_runner(settings) as runner:
        for file, text in sources.items():
            yield await _examine_file(file, text, runner, settings.limits, lang)


def read_source(file: Path) -> str:
    """Return the text of a program. Raises UnreadableProgram."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UnreadableProgram(error.strerror or str(error)) from error
    if len(data) > SOURCE_BYTES:
        raise UnreadableProgram(f"it has {len(data):,} bytes; a program may have {SOURCE_BYTES:,}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableProgram(f"it is not UTF-8: byte {error.start}") from error
    if NUL in text:
        raise UnreadableProgram("it contains a NUL, which no Python program may")
    return text


async def _examine_file(file: Path, text: str, runner: Runner, limits: Limits, lang: Lang) -> FileReport:
    source = Source(text=text)
    limits = msgspec.structs.replace(limits, deadline_seconds=DEADLINE_SECONDS)
    program = Program(source=source, instruments=[TRACE.name, DOCTOR.name], threads=limits.compute_threads)
    order = RunOrder(program=program, limits=limits, lang=lang, learner="doctor")
    try:
        result = await wait_for_last(runner.run(order), RunResult)
    except CheckError as error:
        return FileReport(file=file, failure=f"it could not be run: {error}")
    return make_report(file, source.lines(), result, load_pitfalls().pitfalls)
