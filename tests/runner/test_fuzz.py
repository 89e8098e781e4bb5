"""Hostile bytes on the run channel: nothing a child writes there crashes the runner, holds it up, or reaches another run."""

import asyncio
import random
import struct
import threading
from contextlib import suppress
from typing import cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.protocol.channel import Over, Ready, Shown, Touched, Up
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.records.gradcheck import GradcheckRecord
from app.protocol.records.graph import GraphNode, GraphRecord
from app.protocol.records.registry import encode_record
from app.protocol.records.value import ValueRecord
from app.protocol.run import Frame, Program, RunError, RunOrder, Source
from app.runner.conversation.child_handle import Exit
from app.runner.conversation.frames import FrameMalformed, FrameReader, FrameTooLarge
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.runs.attempt import Attempt
from app.runner.runs.ending import Ending
from app.sandbox.framing import encode_frame
from app.sandbox.verification.verification import Marks, NotConfined
from tests.programs import Programs
from tests.runner.forged.liar import NoLayout, Pipes

MOST = 1000  # frames
LIMITS = Limits(deadline_seconds=5, output_bytes=4096, records_bytes=16_384)
UNREACHABLE = Marks(uid=1, namespaces=False, limits={})  # what this process never shows
ERROR = RunError(type="E", message="m", traceback=[Frame(cell=None, line=1, column=0, function="f", source="s")])
VALID: list[bytes] = [
    encode_frame(frame)
    for frame in (
        Ready(probes={"fork": True}),
        Touched(),
        Shown(record=encode_record(ValueRecord(text="1", shape=[2], values=[1.0, 2.0]))),
        Shown(record=encode_record(GraphRecord(nodes=[GraphNode(id="a", kind="leaf", label="x")]))),
        Shown(record=encode_record(GradcheckRecord(order=1, mode="reverse", passed=True, eps=1e-6, atol=1e-5, rtol=1e-3))),
        Over(ending="raised", error=ERROR),
        Over(ending="finished"),
    )
]


@st.composite
def flipped(draw: st.DrawFn) -> bytes:
    """A valid frame with a few bits changed."""
    frame = bytearray(draw(st.sampled_from(VALID)))
    for at in draw(st.lists(st.integers(0, 8 * len(frame) - 1), max_size=4)):
        frame[at // 8] ^= 1 << at % 8
    return bytes(frame)


def truncated(frame: bytes) -> st.SearchStrategy[bytes]:
    return st.integers(0, len(frame)).map(lambda length: frame[:length])


def nested(depth: int) -> bytes:
    body = msgspec.msgpack.encode(
        {"frame": "shown", "record": b'{"kind":"value","id":"value-1","text":"","values":' + b"[" * depth + b"]" * depth + b"}"}
    )
    return struct.pack(">I", len(body)) + body


PIECES = (
    st.binary(max_size=300)
    | flipped()
    | st.sampled_from(VALID).flatmap(truncated)
    | st.integers(0, 2**32 - 1).map(lambda length: struct.pack(">I", length))
    | st.tuples(st.sampled_from(VALID), st.integers(1, 2 * MOST)).map(lambda many: many[0] * many[1])
    | st.integers(0, 5000).map(nested)
)
STREAMS = st.lists(PIECES, max_size=6).map(b"".join)


@given(STREAMS, st.integers(1, 70_000))
def test_the_reader_gives_typed_frames_or_one_of_its_two_errors(data: bytes, piece: int) -> None:
    reader = FrameReader(16_384, MOST)
    found: list[Up] = []
    with suppress(FrameMalformed, FrameTooLarge):
        for at in range(0, len(data), piece):
            found += reader.feed(data[at : at + piece])
    assert len(found) <= MOST
    for frame in found:
        msgspec.json.encode(frame)  # the API can say it


@settings(deadline=None, max_examples=60)
@given(STREAMS)
def test_an_attempt_ends_whatever_its_child_says(data: bytes) -> None:
    async def attempt() -> tuple[Ending | None, list[object]]:
        pipes = Pipes()
        speaker = threading.Thread(target=pipes.speak, args=(data,))
        order = RunOrder(program=Program(source=Source(text="")), limits=LIMITS)
        tried = Attempt(order, pipes.child, Pictures(cast(LayoutWorkers, NoLayout()), LIMITS, "en"))
        tried._begun = True
        pipes.child.exited.set_result(Exit(0, 0.0))
        speaker.start()
        try:
            async with asyncio.timeout(30):
                events: list[object] = [event async for event in tried.events()]
                return tried.ending, events
        finally:
            pipes.close()
            speaker.join()

    ending, events = asyncio.run(attempt())
    assert ending is not None
    assert ending.outcome in Outcome
    assert len(events) <= 1000
    msgspec.json.encode(events)


@settings(deadline=None, max_examples=60)
@given(STREAMS)
def test_a_child_that_talks_nonsense_before_it_runs_is_never_ready_by_it(data: bytes) -> None:

    async def listen() -> None:
        pipes = Pipes()
        pipes.child._marks = UNREACHABLE
        speaker = threading.Thread(target=pipes.speak, args=(data,))
        speaker.start()
        try:
            async with asyncio.timeout(30):
                await pipes.child.ready
        finally:
            pipes.close()
            speaker.join()

    with pytest.raises((NotConfined, FrameMalformed, FrameTooLarge, OSError)):
        asyncio.run(listen())


HOSTILE = """
import os, random
source = random.Random({seed})
frames = {frames}
while True:
    frame = source.choice(frames)
    os.write(3, source.choice([source.randbytes(source.randrange(1, 4000)), frame, frame[:source.randrange(1, 40)]]))
"""
SIBLING = """
import torch
x = torch.arange(6., requires_grad=True)
for step in range(20):
    print(step, (x ** 2).sum().item())
(x ** 2).sum()
"""


def test_a_sibling_of_hostile_children_gets_its_exact_result(programs: Programs) -> None:
    quiet = programs.run(SIBLING)

    async def together() -> None:
        seeds = random.Random(0).sample(range(10**6), 24)
        orders = [order(HOSTILE.format(seed=seed, frames=VALID[2:6]), f"hostile {seed}") for seed in seeds]
        siblings = [order(SIBLING, f"sibling {number}") for number in range(8)]
        ends = await asyncio.gather(*(programs.collect(one) for pair in zip(orders[::3], siblings, strict=True) for one in pair))
        ends += await asyncio.gather(*(programs.collect(one) for one in orders[8:]))
        for events, is_sibling in zip(ends, [False, True] * 8 + [False] * 16, strict=True):
            result = msgspec.json.decode(msgspec.json.encode(events[-1]))
            if is_sibling:
                assert (result["outcome"], result["stdout"], len(result["records"])) == ("finished", quiet.stdout, len(quiet.records))
                assert result["records"][0]["text"] == quiet.records[0].text
            else:
                assert result["outcome"] in ("crashed", "output_limit", "raised", "finished", "timed_out")

    asyncio.run(together())


def order(text: str, learner: str) -> RunOrder:
    limits = Limits(deadline_seconds=10)
    return RunOrder(program=Program(source=Source(text=text)), limits=limits, learner=learner, address=learner)


@given(st.binary(max_size=500) | st.text(max_size=300).map(str.encode))
def test_any_body_of_an_order_decodes_or_is_refused(body: bytes) -> None:
    with suppress(msgspec.DecodeError):
        msgspec.json.decode(body, type=RunOrder)
