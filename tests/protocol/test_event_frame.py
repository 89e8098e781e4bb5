"""The frames between runner and web: a header with the kind and the length, and the JSON that clients get."""

import asyncio
import struct

import msgspec
import pytest

from app.protocol.event import Failed, Queued, RunEvent, Started, Stderr, Stdout
from app.protocol.event_frame import (
    DECODERS,
    HEADER_BYTES,
    KINDS,
    PAYLOAD_BYTES,
    PIECE_BYTES,
    NoEventHeader,
    encode_frame,
    frame_event,
    frame_json,
    read_header,
)
from app.protocol.grading import CheckResult, Message, Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult, Timing

RECORD = b'{"kind":"value","text":"\xe4\xb8\xad}\\n"}'
RESULT = RunResult(id="r1", outcome=Outcome.OUT_OF_MEMORY, stdout="}\n" * 2000, timing=Timing(queued_ms=0, run_ms=1, total_ms=1))
CHECK = CheckResult(id="a", passed=False, message=Message(code="c", values={"said": "}\n" * 500}))
VERDICT = Verdict(passed=False, checks=[CHECK])
EVENTS: list[tuple[str, RunEvent, bytes]] = [
    ("queued", Queued("r1", 2), b'{"id":"r1","position":2}'),
    ("started", Started("r1"), b'{"id":"r1"}'),
    ("stdout", Stdout("a\n}\r\n"), b'{"text":"a\\n}\\r\\n"}'),
    ("stderr", Stderr("\u2028" * 1000), msgspec.json.encode({"text": "\u2028" * 1000})),
    ("record", msgspec.Raw(RECORD), RECORD),
    ("result", RESULT, msgspec.json.encode(RESULT)),
    ("check", CHECK, msgspec.json.encode(CHECK)),
    ("verdict", VERDICT, msgspec.json.encode(VERDICT)),
    ("error", Failed("lost", "gone"), b'{"code":"lost","message":"gone"}'),
]


def header(kind: int, outcome: int, length: int) -> bytes:
    return struct.pack("!BBI", kind, outcome, length)


@pytest.mark.parametrize(("kind", "event", "json"), EVENTS)
def test_a_frame_is_a_header_and_the_json_that_clients_get(kind: str, event: RunEvent, json: bytes) -> None:
    frame = encode_frame(event)
    assert read_header(frame, 0) == (kind, RESULT.outcome if kind == "result" else None, len(json))
    assert frame[HEADER_BYTES:] == json
    assert b"\n" not in json
    assert DECODERS[kind].decode(json) == event


def test_every_kind_of_event_was_tried() -> None:
    assert [kind for kind, _, _ in EVENTS] == list(KINDS)


@pytest.mark.parametrize("outcome", Outcome)
def test_a_header_says_how_a_run_ended(outcome: Outcome) -> None:
    assert read_header(encode_frame(msgspec.structs.replace(RESULT, outcome=outcome)), 0).outcome is outcome


@pytest.mark.parametrize(
    "data",
    [
        header(len(KINDS), 0, 1),
        header(0, len(Outcome) + 1, 1),
        header(0, 1, 1),  # only a result has an outcome
        header(list(KINDS).index("result"), 0, 1),
        header(0, 0, 0),
        header(0, 0, PAYLOAD_BYTES + 1),
        b'{"event',
    ],
)
def test_what_is_no_header_is_an_error(data: bytes) -> None:
    with pytest.raises(NoEventHeader):
        read_header(data, 0)


def test_a_header_of_the_greatest_length_is_one() -> None:
    assert read_header(header(0, 0, PAYLOAD_BYTES), 0) == ("queued", None, PAYLOAD_BYTES)


@pytest.mark.parametrize(("kind", "event", "json"), EVENTS)
def test_an_event_that_happened_in_web_has_the_same_frame(kind: str, event: RunEvent, json: bytes) -> None:
    frame = frame_event(event)
    assert (frame.kind, frame.outcome) == read_header(encode_frame(event), 0)[:2]
    assert asyncio.run(frame.whole()) == json


def test_json_that_is_made_in_web_is_in_pieces_too() -> None:
    async def collect() -> list[bytes]:
        return [piece async for piece in frame_json("submission", b"x" * 200_000)]

    pieces = asyncio.run(collect())
    assert b"".join(pieces) == b"x" * 200_000
    assert max(map(len, pieces)) == PIECE_BYTES
