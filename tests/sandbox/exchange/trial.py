"""Tries a channel: in two runs at the same time in a real runner, or in two plain processes, where every channel should be open."""

import asyncio
import os
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from app.protocol.limits import Limits
from app.protocol.run import Program, RunOrder, RunResult, Source
from tests.programs import Programs
from tests.sandbox.exchange.channel import Channel, Passed, decode, parse_seen, write_program

HEAD_START_SECONDS = 0.7  # after this time both programs run
MOST_BITS, MOST_FILES = 3000, 500
ROLES = ("receiver", "sender")


class Closed(Exception):
    """One of the programs could not try the channel; the message says why."""


def try_in_runner(programs: Programs, channel: Channel, slot_seconds: float, seconds: float) -> Passed:
    """Try a channel in two runs of a real runner. Raises Closed."""

    async def run(role: str, text: str) -> str:
        limits, learner = Limits(deadline_seconds=min(60.0, seconds + 20)), f"{role} of {channel.name}"
        order = RunOrder(program=Program(source=Source(text=text)), limits=limits, learner=learner, address=learner)
        last = (await programs.collect(order))[-1]
        if not isinstance(last, RunResult):
            raise Closed(f"{role}: {last}")
        if last.error:
            raise Closed(f"{role}: {last.error.type}: {last.error.message}")
        return last.stdout

    async def run_both(texts: Sequence[str]) -> str:
        return (await asyncio.gather(*map(run, ROLES, texts)))[0]

    texts, bits = prepare(channel, slot_seconds, seconds)
    return decode(parse_seen(asyncio.run(run_both(texts))), bits, slot_seconds)


def try_outside(channel: Channel, slot_seconds: float, seconds: float) -> Passed:
    """Try a channel in two plain processes. Raises Closed."""
    texts, bits = prepare(channel, slot_seconds, seconds)
    with tempfile.TemporaryDirectory(prefix="exchange-") as folder:
        started = []
        for role, text in zip(ROLES, texts, strict=True):
            place = Path(folder, role)
            place.mkdir()
            (place / "program.py").write_text(text)
            command = [sys.executable, "program.py"]
            started.append(subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        outputs = [process.communicate() for process in started]
    for role, process, (_, errors) in zip(ROLES, started, outputs, strict=True):
        if process.returncode:
            raise Closed(f"{role}: {errors.strip().splitlines()[-1]}")
    return decode(parse_seen(outputs[0][0]), bits, slot_seconds)


def prepare(channel: Channel, slot_seconds: float, seconds: float) -> tuple[list[str], list[int]]:
    """Return the programs of the two sides, and the bits that are sent."""
    needs_files = "FILES" in channel.text
    count = min(max(60, round(seconds / slot_seconds)), MOST_FILES if needs_files else MOST_BITS)
    bits = [0, 1] * 3 + random.choices((0, 1), k=count - 6)
    files = choose_files(count) if needs_files else []
    start = time.time() + HEAD_START_SECONDS
    return [write_program(channel, role, start, slot_seconds, bits, files) for role in ROLES], bits


def choose_files(count: int) -> list[str]:
    """Choose some random files of libraries that are seldom read, and drop them from the page cache."""
    library = Path(sysconfig.get_path("purelib"))
    found = sorted(library.rglob("*.h")) or sorted(library.rglob("*.pyi"))  # an image may have left out the former
    chosen = random.sample(found, min(count, len(found)))
    for path in chosen:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
    return list(map(str, chosen))
