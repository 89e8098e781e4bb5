"""How an event travels from the runner to web: a header with its kind and length, and then the JSON that a client gets.

Thanks to the header, web does not decode what it forwards. The JSON has no line break, because it becomes one line of an event stream.
"""

import struct
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Any, NamedTuple

import msgspec

from app.protocol.event import Failed, Queued, RunEvent, Started, Stderr, Stdout
from app.protocol.grading import CheckResult, Verdict
from app.protocol.limits import MEBIBYTE
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult

KINDS: dict[str, type] = {
    "queued": Queued,
    "started": Started,
    "stdout": Stdout,
    "stderr": Stderr,
    "record": msgspec.Raw,
    "result": RunResult,
    "check": CheckResult,
    "verdict": Verdict,
    "error": Failed,
}
DECODERS: dict[str, "msgspec.json.Decoder[Any]"] = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}
PIECE_BYTES = 65_536  # at most so much is forwarded at once, so that little is buffered for a slow reader
PAYLOAD_BYTES = 1024 * MEBIBYTE  # more than a result can have, even if every limit is at its ceiling

_HEADER = struct.Struct("!BBI")  # number of the kind, number of the outcome, length of the JSON in bytes
HEADER_BYTES = _HEADER.size
_NAMES = tuple(KINDS)
_NUMBERS = {kind: number for number, kind in enumerate(KINDS.values())}
_OUTCOMES = (None, *Outcome)
_encode = msgspec.json.Encoder().encode


class NoEventHeader(Exception):
    """The bytes are no header of an event."""


class EventHeader(NamedTuple):
    """The header of an event. `outcome`: that of the run, if the event is a `result`; otherwise None. `length`: of the JSON, in bytes."""

    kind: str
    outcome: Outcome | None
    length: int


class EventFrame:
    """One event. `outcome`: as in EventHeader. Its pieces have at most PIECE_BYTES each and can be read once."""

    def __init__(self, kind: str, outcome: Outcome | None, pieces: AsyncIterator[bytes]) -> None:
        self.kind, self.outcome = kind, outcome
        self._pieces = pieces

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._pieces

    async def whole(self) -> bytes:
        return b"".join([piece async for piece in self._pieces])


def encode_frame(event: RunEvent) -> bytes:
    """Return the header and the JSON of an event."""
    payload = memoryview(event) if isinstance(event, msgspec.Raw) else _encode(event)
    outcome = _OUTCOMES.index(event.outcome) if isinstance(event, RunResult) else 0
    return b"".join((_HEADER.pack(_NUMBERS[type(event)], outcome, len(payload)), payload))


def read_header(data: bytes, at: int) -> EventHeader:
    """Return the header at a position. Raises NoEventHeader."""
    kind, outcome, length = _HEADER.unpack_from(data, at)
    if kind < len(_NAMES) and outcome < len(_OUTCOMES) and 0 < length <= PAYLOAD_BYTES:
        header = EventHeader(_NAMES[kind], _OUTCOMES[outcome], length)
        if (header.kind == "result") == (header.outcome is not None):
            return header
    raise NoEventHeader(f"no event has kind {kind}, outcome {outcome} and {length} bytes")


def frame_event(event: RunEvent) -> EventFrame:
    """Return the frame of an event that this process made."""
    data = encode_frame(event)
    header = read_header(data, 0)
    return EventFrame(header.kind, header.outcome, _each(data[HEADER_BYTES:]))


def frame_json(kind: str, data: bytes) -> EventFrame:
    """Return a frame for JSON that this process made."""
    return EventFrame(kind, None, _each(data))


def cut(data: bytes) -> Iterator[bytes]:
    """Yield the data in pieces of at most PIECE_BYTES."""
    return (data[at : at + PIECE_BYTES] for at in range(0, len(data), PIECE_BYTES))


async def _each(data: bytes) -> AsyncGenerator[bytes, None]:
    for piece in cut(data):
        yield piece
