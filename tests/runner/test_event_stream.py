"""Frames are read as the runner wrote them, however the bytes are cut, and no faster than the client takes them."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import msgspec
import pytest

from app.protocol.event_frame import HEADER_BYTES, PIECE_BYTES, encode_frame, read_header
from app.protocol.outcome import Outcome
from app.runner.client import RunLost, RunnerIncompatible
from app.runner.event_stream import EventStream, decode_frame
from tests.protocol.test_event_frame import EVENTS, RESULT

FRAMES = [encode_frame(event) for _, event, _ in EVENTS]
DATA = b"".join(FRAMES)
SEEN = [(kind, RESULT.outcome if kind == "result" else None, json) for kind, _, json in EVENTS]


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
    return [(frame.kind, frame.outcome, await frame.whole()) async for frame in EventStream(aiter(chunks)).frames()]


@pytest.mark.parametrize("size", [1, 2, 7, HEADER_BYTES, 511, 512, 513, 4096, len(DATA)])
def test_what_is_passed_on_is_what_was_written(size: int) -> None:
    assert asyncio.run(collect(cut(DATA, size))) == SEEN


@pytest.mark.parametrize("size", [1, 7, 512, len(DATA)])
def test_events_can_be_had_decoded_too(size: int) -> None:
    async def decoded() -> list[object]:
        return [await decode_frame(frame) async for frame in EventStream(aiter(cut(DATA, size))).frames()]

    assert asyncio.run(decoded()) == [event for _, event, _ in EVENTS]


@pytest.mark.parametrize("size", [1, 100, 10_000])
def test_what_is_not_taken_is_skipped(size: int) -> None:
    async def kinds() -> list[str]:
        return [frame.kind async for frame in EventStream(aiter(cut(DATA, size))).frames()]

    assert asyncio.run(kinds()) == [kind for kind, _, _ in SEEN]


def test_what_is_left_of_an_event_is_skipped() -> None:
    async def collect_last() -> tuple[str, bytes]:
        frames = EventStream(aiter(cut(FRAMES[5] + FRAMES[6], 100))).frames()
        await anext(aiter(await anext(frames)))
        last = await anext(frames)
        return last.kind, await last.whole()

    assert asyncio.run(collect_last()) == (SEEN[6][0], SEEN[6][2])


@pytest.mark.parametrize("size", [65_536, 1_000_000])
def test_of_a_long_event_no_more_is_read_than_is_taken(size: int) -> None:
    chunks = cut(long_record(), size)

    async def take_three() -> tuple[int, int]:
        async for frame in EventStream(aiter(chunks)).frames():
            pieces = aiter(frame)
            sizes = [len(await anext(pieces)) for _ in range(3)]
            return max(sizes), chunks.read
        raise AssertionError

    largest, read = asyncio.run(take_three())
    assert largest <= PIECE_BYTES
    assert read <= 4


def long_record() -> bytes:
    return encode_frame(msgspec.Raw(b'"' + b"x" * 10_000_000 + b'"'))


@pytest.mark.parametrize("data", [b"no event\n", b'{"event":"started","id":"r1"}\n', b"\xff" + DATA[1:], bytes(HEADER_BYTES)])
def test_what_is_no_event_is_an_error(data: bytes) -> None:
    with pytest.raises(RunnerIncompatible):
        asyncio.run(collect(Chunks([data])))


@pytest.mark.parametrize("length", range(1, len(FRAMES[0])))
def test_bytes_that_end_within_an_event_are_a_lost_run(length: int) -> None:
    assert read_header(FRAMES[0], 0).kind == "queued"
    with pytest.raises(RunLost):
        asyncio.run(collect(Chunks([FRAMES[1], FRAMES[0][:length]])))


def test_nothing_is_no_event() -> None:
    assert asyncio.run(collect(Chunks([]))) == asyncio.run(collect(Chunks([b""]))) == []
