"""A child's streams told as one story, from pipes and a socket that a test writes to."""

import asyncio
import os
import socket
from collections.abc import Callable

from app.protocol.channel import Over, Shown
from app.protocol.records.registry import encode_record
from app.protocol.records.value import ValueDisplay
from app.runner.conversation.frames import FrameReader
from app.runner.conversation.output_pipe import OutputPipe
from app.runner.conversation.streams import Streams
from app.sandbox.framing import encode_frame


class Story:
    """A listener that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.end = asyncio.Event()

    def on_stdout(self, text: str) -> None:
        self.told.append(f"out {text}")

    def on_stderr(self, text: str) -> None:
        self.told.append(f"err {text}")

    def on_shown(self, shown: Shown) -> None:
        self.told.append("shown")

    def on_over(self, over: Over) -> None:
        self._finish(f"over {over.ending}")

    def on_too_much(self) -> None:
        self._finish("too much")

    def on_malformed(self) -> None:
        self._finish("malformed")

    def on_gone(self) -> None:
        self._finish("gone")

    def _finish(self, word: str) -> None:
        self.told.append(word)
        self.end.set()


class Peer:
    """The child's ends."""

    def __init__(self, channel: socket.socket, stdout: int, stderr: int) -> None:
        self.channel = channel
        self.stdout = stdout
        self.stderr = stderr

    def show(self, stdout_bytes: int) -> None:
        self.channel.sendall(encode_frame(Shown(record=encode_record(ValueDisplay(text="1")), stdout_bytes=stdout_bytes)))

    def finish(self) -> None:
        self.channel.sendall(encode_frame(Over(ending="finished")))


def story_of(
    play: Callable[[Peer], object], output_bytes: int = 1000, displays_bytes: int = 1000, pipe: type[OutputPipe] = OutputPipe
) -> list[str]:
    """What a listener is told when a child does `play` at once."""

    async def scenario() -> list[str]:
        ours, theirs = socket.socketpair()
        stdout, stdout_child = os.pipe()
        stderr, stderr_child = os.pipe()
        streams, story = Streams(ours, stdout, stderr, FrameReader(0)), Story()
        streams.stdout = pipe(stdout)
        streams.listen(story, output_bytes, displays_bytes)
        action = play(Peer(theirs, stdout_child, stderr_child))
        if asyncio.iscoroutine(action):
            await action
        await asyncio.wait_for(story.end.wait(), 20)
        streams.close()
        theirs.close()
        os.close(stdout_child)
        os.close(stderr_child)
        return story.told

    return asyncio.run(scenario())


def test_a_display_stands_where_it_was_made_also_when_all_comes_at_once() -> None:
    def play(peer: Peer) -> None:
        os.write(peer.stdout, b"before after")
        peer.show(7)
        os.write(peer.stderr, b"warned")
        peer.finish()

    assert story_of(play) == ["out before ", "err warned", "shown", "out after", "over finished"]


def test_what_was_printed_before_a_frame_is_told_before_it_whatever_is_read_first() -> None:
    """The pipe is looked at before the channel; output that arrives between the two looks must not be lost or late."""

    class LatePipe(OutputPipe):
        looks = 0

        def read(self, until: int | None = None) -> bool:
            self.looks += 1
            return True if self.looks == 1 else super().read(until)

    def play(peer: Peer) -> None:
        os.write(peer.stdout, b"before after")
        peer.show(7)
        peer.finish()

    assert story_of(play, pipe=LatePipe) == ["out before ", "shown", "out after", "over finished"]


def test_a_flood_of_short_lines_becomes_few_events() -> None:
    async def play(peer: Peer) -> None:
        for _ in range(400):
            os.write(peer.stdout, b"x\n")
            await asyncio.sleep(0)
        peer.finish()

    told = story_of(play)
    assert "".join(part.removeprefix("out ") for part in told[:-1]) == "x\n" * 400
    assert len(told) < 100


def test_output_up_to_the_cap_is_told_before_the_end() -> None:
    assert story_of(lambda peer: os.write(peer.stdout, b"x" * 50), output_bytes=20) == [f"out {'x' * 20}", "too much"]


def test_frames_do_not_carry_output_past_the_cap() -> None:
    """A frame has the pipe read up to where it says it stands; a program that goes on printing meanwhile gets no more told for it."""
    writers: list[int] = []

    class RefilledPipe(OutputPipe):
        def read(self, until: int | None = None) -> bool:
            for writer in writers:
                os.write(writer, b"x" * 15)
            return super().read(until)

    def play(peer: Peer) -> None:
        writers.append(peer.stdout)
        for _ in range(5):
            peer.show(2**50)

    told = story_of(play, output_bytes=20, pipe=RefilledPipe)
    assert "".join(part.removeprefix("out ") for part in told if part.startswith("out ")) == "x" * 20
    assert told[-1] == "too much"


def test_more_displays_than_allowed_are_too_much() -> None:
    def play(peer: Peer) -> None:
        for _ in range(20):
            peer.show(0)

    assert story_of(play, displays_bytes=500)[-1] == "too much"


def test_nonsense_on_the_channel_ends_the_story() -> None:
    assert story_of(lambda peer: peer.channel.sendall(b"\x00\x00\x00\x01\xff")) == ["malformed"]


def test_an_unfinished_frame_and_a_closed_channel_are_the_end() -> None:
    def play(peer: Peer) -> None:
        peer.channel.sendall(b"\x00\x00\x00\x09abc")
        peer.channel.close()

    assert story_of(play) == ["gone"]


def test_what_follows_the_final_frame_is_not_heard() -> None:
    def play(peer: Peer) -> None:
        peer.finish()
        peer.finish()
        peer.show(0)

    assert story_of(play) == ["over finished"]


def test_closed_pipes_do_not_end_the_story() -> None:
    def play(peer: Peer) -> None:
        os.write(peer.stdout, b"x")
        null = os.open("/dev/null", os.O_WRONLY)
        for descriptor in (peer.stdout, peer.stderr):
            os.dup2(null, descriptor)
        os.close(null)
        peer.finish()

    assert story_of(play) == ["out x", "over finished"]
