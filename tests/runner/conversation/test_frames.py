"""The decoder of what children send: nothing they write may do more than raise one of its two errors."""

import struct
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.protocol.channel import Begun, Over, Ready, Shown, Touched
from app.protocol.records.graph import GraphRecord
from app.protocol.records.registry import encode_record
from app.protocol.records.value import ValueRecord
from app.runner.conversation.frames import FrameMalformed, FrameReader, FrameTooLarge
from app.sandbox.framing import encode_frame

MOST = 1000
FRAMES = [
    Ready(probes={"fork": True}),
    Touched(),
    Begun(),
    Shown(record=encode_record(ValueRecord(text="1"))),
    Shown(record=encode_record(GraphRecord())),
    Over(ending="finished"),
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=20) | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=20,
)


@given(st.lists(st.sampled_from(FRAMES), max_size=6), st.integers(1, 40))
def test_frames_come_out_whole_however_they_are_cut(frames: list[object], piece: int) -> None:
    data = b"".join(map(encode_frame, frames))
    reader = FrameReader(1 << 20, MOST)
    found = [frame for at in range(0, len(data), piece) for frame in reader.feed(data[at : at + piece])]
    assert found == frames


@given(st.binary(max_size=2000))
def test_any_bytes_raise_nothing_else(data: bytes) -> None:
    with_caught(lambda: list(FrameReader(4096, MOST).feed(data)))


@given(VALUES)
def test_any_well_formed_msgpack_raises_nothing_else(value: object) -> None:
    with_caught(lambda: list(FrameReader(1 << 20, MOST).feed(encode_frame(value))))


@given(
    st.sampled_from(["shown", "over", "ready"]),
    st.dictionaries(st.sampled_from(["record", "stdout_bytes", "error", "ending", "probes"]), VALUES),
)
def test_frames_with_any_fields_raise_nothing_else(tag: str, fields: dict[str, object]) -> None:
    with_caught(lambda: list(FrameReader(1 << 20, MOST).feed(encode_frame({"frame": tag, **fields}))))


def test_an_announced_giant_is_refused_before_it_is_kept() -> None:
    with pytest.raises(FrameTooLarge):
        list(FrameReader(1000, MOST).feed(struct.pack(">I", 2**32 - 1)))


def test_the_allowance_is_for_all_frames_together() -> None:
    with pytest.raises(FrameTooLarge):
        list(FrameReader(100, MOST).feed(encode_frame(Over(ending="finished")) * 100))


def test_frames_are_counted_and_those_before_one_too_many_are_kept() -> None:
    frames: list[object] = []
    with pytest.raises(FrameTooLarge):
        frames += FrameReader(1 << 20, MOST).feed(encode_frame(Touched()) * (MOST + 1))
    assert frames == [Touched()] * MOST


def test_deep_nesting_is_malformed() -> None:
    body = b"\x91" * 100_000 + b"\xc0"
    with pytest.raises(FrameMalformed):
        list(FrameReader(1 << 20, MOST).feed(struct.pack(">I", len(body)) + body))


def with_caught(action: Callable[[], object]) -> None:
    with suppress(FrameMalformed, FrameTooLarge):
        action()
