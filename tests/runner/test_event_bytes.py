"""Events as bytes: what is passed on is what the runner wrote, however the bytes are cut, and no more is read than is taken."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import msgspec
import pytest

from app.protocol.event import CheckDone, Ended, Failed, Graded, Queued, Recorded, RunEvent, Started, Stderr, Stdout
from app.protocol.grading import CheckResult, Message, Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult, Timing
from app.runner.event_bytes import BrokenOff, EventLines, NoEvent, encode_each

RECORD = b'{"kind":"value","text":"\xe4\xb8\xad}\\n"}'
RESULT = RunResult(id="r1", outcome=Outcome.OUT_OF_MEMORY, stdout="}" * 2000, timing=Timing(queued_ms=0, run_ms=1, total_ms=1))
CHECK = CheckResult(id="a", passed=False, message=Message(code="c", values={"said": "}\n" * 500}))
VERDICT = Verdict(passed=False, checks=[CHECK])
EVENTS: list[RunEvent] = [
    Queued("r1", 2),
    Started("r1"),
    Stdout("a\n}"),
    Stderr("\u2028" * 1000),
    *(Recorded(family, msgspec.Raw(RECORD)) for family in ("record", "function", "diagnosis")),
    Failed("lost", "gone"),
    Ended(RESULT),
    CheckDone(CHECK),
    Graded(VERDICT),
]
SEEN = [
    ("queued", None, b'{"id":"r1","position":2}'),
    ("started", None, b'{"id":"r1"}'),
    ("stdout", None, b'{"text":"a\\n}"}'),
    ("stderr", None, msgspec.json.encode({"text": "\u2028" * 1000})),
    ("record", None, RECORD),
    ("function", None, RECORD),
    ("diagnosis", None, RECORD),
    ("error", None, b'{"code":"lost","message":"gone"}'),
    ("result", Outcome.OUT_OF_MEMORY, msgspec.json.encode(RESULT)),
    ("check", None, msgspec.json.encode(CHECK)),
    ("verdict", None, msgspec.json.encode(VERDICT)),
]
LINES = b"".join(msgspec.json.encode(event) + b"\n" for event in EVENTS)


class Chunks:
    """A stream of bytes that counts how many of its pieces were read."""

    def __init__(self, chunks: Sequence[bytes]) -> None:
        self.chunks, self.read = chunks, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            self.read += 1
            yield chunk


def cut(data: bytes, size: int) -> Chunks:
    return Chunks([data[at : at + size] for at in range(0, len(data), size)])


async def collect(chunks: Chunks) -> list[tuple[str, Outcome | None, bytes]]:
    return [(event.name, event.outcome, await event.whole()) async for event in EventLines(aiter(chunks)).events()]


@pytest.mark.parametrize("size", [1, 2, 7, 511, 512, 513, 4096, len(LINES)])
def test_what_is_passed_on_is_what_was_written(size: int) -> None:
    assert asyncio.run(collect(cut(LINES, size))) == SEEN


@pytest.mark.parametrize("size", [1, 7, 512, len(LINES)])
def test_whole_lines_can_be_had_too(size: int) -> None:
    async def lines() -> list[bytes]:
        return [line async for line in EventLines(aiter(cut(LINES + b"{unfinished", size))).lines()]

    assert asyncio.run(lines()) == LINES.splitlines()


@pytest.mark.parametrize("size", [1, 100, 10_000])
def test_what_is_not_taken_is_passed_over(size: int) -> None:
    async def names() -> list[str]:
        return [event.name async for event in EventLines(aiter(cut(LINES, size))).events()]

    assert asyncio.run(names()) == [name for name, _, _ in SEEN]


def test_events_made_here_are_as_if_written() -> None:
    async def made() -> AsyncIterator[RunEvent]:
        for event in EVENTS:
            yield event

    async def read() -> list[tuple[str, Outcome | None, bytes]]:
        return [(event.name, event.outcome, await event.whole()) async for event in encode_each(made())]

    assert asyncio.run(read()) == SEEN


def test_of_a_long_line_no_more_is_read_than_is_taken() -> None:
    chunks = cut(b'{"event":"record","family":"record","record":"' + b"x" * 10_000_000 + b'"}\n', 65_536)

    async def take_three() -> tuple[int, int]:
        async for event in EventLines(aiter(chunks)).events():
            pieces = aiter(event)
            sizes = [len(await anext(pieces)) for _ in range(3)]
            return max(sizes), chunks.read
        raise AssertionError

    largest, read = asyncio.run(take_three())
    assert largest <= 65_536
    assert read <= 4


@pytest.mark.parametrize(
    "line", [b"no event\n", b'{"event":"of tomorrow"}\n', b"\xff\n", b"\n", b'{"event":"result","result":{"id":"r1","outcome":"odd"}}\n']
)
def test_what_is_no_event_is_an_error(line: bytes) -> None:
    with pytest.raises(NoEvent):
        asyncio.run(collect(Chunks([line])))


def test_a_line_that_breaks_off_is_an_error_unless_it_had_not_begun() -> None:
    with pytest.raises(BrokenOff):
        asyncio.run(collect(Chunks([LINES[:-1]])))
    assert asyncio.run(collect(Chunks([b'{"event"']))) == []
