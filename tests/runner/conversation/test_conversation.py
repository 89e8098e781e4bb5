"""A conversation yields what a child prints and sends in the order in which it happened. A test writes to the pipes and the socket."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from app.protocol.channel import Answer, Over, Shown, Touch, Touched
from app.protocol.event import Stderr, Stdout
from app.protocol.limits import MEBIBYTE
from app.protocol.records.registry import encode_record
from app.protocol.records.value import ValueRecord
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Caps, Conversation, Cut, Item
from app.runner.conversation.output_pipe import OutputPipe
from app.sandbox.confinement.rlimits import Budget
from app.sandbox.framing import encode_frame

BUDGET = Budget(memory_bytes=64 * MEBIBYTE, cpu_seconds=1, scratch_bytes=MEBIBYTE, scratch_inodes=16, threads=4)


class Spared(ChildHandle):
    """A child that is the test's own process, and therefore gets no signals."""

    def signal(self, number: int) -> None: ...


class LatePipe(OutputPipe):
    """A pipe whose content arrives only after the first read."""

    looks = 0

    def read(self, until: int | None = None) -> bool:
        self.looks += 1
        return True if self.looks == 1 else super().read(until)


class Peer:
    """The child's ends of the channel and the pipes."""

    def __init__(self, channel: socket.socket, stdout: int, stderr: int) -> None:
        self.channel = channel
        self.stdout = stdout
        self.stderr = stderr

    def show(self, stdout_bytes: int) -> None:
        self.channel.sendall(encode_frame(Shown(record=encode_record(ValueRecord(text="1")), stdout_bytes=stdout_bytes)))

    def finish(self) -> None:
        self.channel.sendall(encode_frame(Over(ending="finished")))

    def vanish(self) -> None:
        self.channel.close()

    def babble(self) -> None:
        self.channel.sendall(b"\0\0\0\1\xff")


@asynccontextmanager
async def talking(
    seconds: float = 20, output_bytes: int = 1000, all_bytes: int = 1000, pipe: type[OutputPipe] = OutputPipe, keep_alive: bool = False
) -> AsyncIterator[tuple[Conversation, Peer]]:
    """Yield a conversation, and its other end for a test that plays the child."""
    ours, theirs = socket.socketpair()
    stdout, stdout_child = os.pipe()
    stderr, stderr_child = os.pipe()
    child = Spared(0, BUDGET, None, None, ours, stdout, stderr)
    child.stdout = pipe(stdout)
    if pipe is LatePipe:
        child.stderr = LatePipe(stderr)
    caps = Caps(all_bytes=all_bytes, output_bytes=output_bytes, seconds=seconds)
    try:
        async with asyncio.timeout(20):
            yield Conversation(child, caps, final=Over, keep_alive=keep_alive), Peer(theirs, stdout_child, stderr_child)
    finally:
        child.close()
        theirs.close()
        os.close(stdout_child)
        os.close(stderr_child)


def told_of(
    play: Callable[[Peer], object], output_bytes: int = 1000, all_bytes: int = 1000, pipe: type[OutputPipe] = OutputPipe
) -> list[str]:
    """Return what a conversation yields, in words, if the child does `play` before the conversation begins."""

    async def scenario() -> list[str]:
        async with talking(output_bytes=output_bytes, all_bytes=all_bytes, pipe=pipe) as (conversation, peer):
            action = play(peer)
            if asyncio.iscoroutine(action):
                await action
            told = [in_words(item) async for item in conversation]
            return told + ([conversation.end.name.lower().replace("_", " ")] if conversation.end else [])

    return asyncio.run(scenario())


def in_words(item: object) -> str:
    if isinstance(item, Stdout | Stderr):
        return f"{'out' if isinstance(item, Stdout) else 'err'} {item.text}"
    return f"over {item.ending}" if isinstance(item, Over) else type(item).__name__.lower()


def test_a_record_stands_where_it_was_made_also_when_all_comes_at_once() -> None:
    def play(peer: Peer) -> None:
        os.write(peer.stdout, b"before after")
        peer.show(7)
        os.write(peer.stderr, b"warned")
        peer.finish()

    assert told_of(play) == ["out before ", "err warned", "shown", "out after", "over finished"]


def test_what_was_printed_before_a_frame_is_told_before_it_whatever_is_read_first() -> None:
    """The pipe is read before the channel. Output that arrives between the two reads must be neither lost nor late."""

    def play(peer: Peer) -> None:
        os.write(peer.stdout, b"before after")
        peer.show(7)
        peer.finish()

    assert told_of(play, pipe=LatePipe) == ["out before ", "shown", "out after", "over finished"]


@pytest.mark.parametrize(("end", "told"), [(Peer.finish, "over finished"), (Peer.vanish, "gone"), (Peer.babble, "malformed")])
def test_what_was_printed_last_is_told_whatever_is_read_first(end: Callable[[Peer], None], told: str) -> None:
    def play(peer: Peer) -> None:
        os.write(peer.stdout, b"printed")
        os.write(peer.stderr, b"warned")
        end(peer)

    assert told_of(play, pipe=LatePipe) == ["out printed", "err warned", told]


def test_a_flood_of_short_lines_becomes_few_events() -> None:
    async def play(peer: Peer) -> None:
        for _ in range(400):
            os.write(peer.stdout, b"x\n")
            await asyncio.sleep(0)
        peer.finish()

    told = told_of(play)
    assert "".join(part.removeprefix("out ") for part in told[:-1]) == "x\n" * 400
    assert len(told) < 100


def test_output_up_to_the_cap_is_told_before_the_end() -> None:
    assert told_of(lambda peer: os.write(peer.stdout, b"x" * 50), output_bytes=20) == [f"out {'x' * 20}", "too much"]


def test_frames_do_not_carry_output_past_the_cap() -> None:
    """A frame says how much was printed before it, and the pipe is read up to there. What the program prints afterwards is not read."""
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

    told = told_of(play, output_bytes=20, pipe=RefilledPipe)
    assert "".join(part.removeprefix("out ") for part in told if part.startswith("out ")) == "x" * 20
    assert told[-1] == "too much"


def test_more_records_than_allowed_are_too_much() -> None:
    def play(peer: Peer) -> None:
        for _ in range(20):
            peer.show(0)

    assert told_of(play, all_bytes=500)[-1] == "too much"


def test_nonsense_on_the_channel_ends_it() -> None:
    assert told_of(lambda peer: peer.channel.sendall(b"\x00\x00\x00\x01\xff")) == ["malformed"]


def test_an_unfinished_frame_and_a_closed_channel_are_the_end() -> None:
    def play(peer: Peer) -> None:
        peer.channel.sendall(b"\x00\x00\x00\x09abc")
        peer.channel.close()

    assert told_of(play) == ["gone"]


def test_what_follows_the_final_frame_is_not_read() -> None:
    def play(peer: Peer) -> None:
        peer.finish()
        peer.finish()
        peer.show(0)

    assert told_of(play) == ["over finished"]


def test_closed_pipes_do_not_end_it() -> None:
    def play(peer: Peer) -> None:
        os.write(peer.stdout, b"x")
        null = os.open("/dev/null", os.O_WRONLY)
        for descriptor in (peer.stdout, peer.stderr):
            os.dup2(null, descriptor)
        os.close(null)
        peer.finish()

    assert told_of(play) == ["out x", "over finished"]


def test_a_conversation_ends_when_its_time_is_over() -> None:
    async def scenario() -> Cut | None:
        async with talking(seconds=0.05) as (conversation, _):
            conversation.send(Touch())
            assert [item async for item in conversation] == []
            return conversation.end

    assert asyncio.run(scenario()) == Cut.DEADLINE


def test_a_paused_conversation_has_all_its_time_left() -> None:
    async def scenario() -> list[object]:
        async with talking(seconds=0.05) as (conversation, peer):
            conversation.pause()
            conversation.send(Touch())
            await asyncio.sleep(0.1)  # what would have ended it
            peer.finish()
            return [item async for item in conversation]

    assert asyncio.run(scenario()) == [Over(ending="finished")]


def test_others_have_a_turn_between_any_two_items_of_a_burst() -> None:
    async def scenario() -> None:
        turns = 0

        async def take_turns() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async with talking(all_bytes=4000) as (conversation, peer):
            for _ in range(5):
                peer.show(0)
            peer.finish()
            others = asyncio.create_task(take_turns())
            seen = [turns async for _ in conversation]
            others.cancel()
            assert len(seen) == len(set(seen)) == 6

    asyncio.run(scenario())


def test_the_next_conversation_gets_what_came_with_the_final_frame_and_counts_only_what_was_printed_since() -> None:
    async def scenario() -> None:
        async with talking(keep_alive=True) as (first, peer):
            os.write(peer.stdout, b"x" * 900)
            peer.channel.sendall(encode_frame(Over(ending="finished")) + encode_frame(Answer(serial=1, reply=b"r")))
            assert [in_words(item) async for item in first] == [f"out {'x' * 900}", "over finished"]
            os.write(peer.stderr, b"y" * 20)
            items = asyncio.Queue[Item | Cut]()
            second = Conversation(first.child, Caps(all_bytes=1000, output_bytes=20, seconds=20), items.put_nowait)
            assert await items.get() == Answer(serial=1, reply=b"r")
            assert await items.get() == Stderr("y" * 20)
            os.write(peer.stderr, b"y")
            assert await items.get() == Cut.TOO_MUCH
            assert second.last_words() == (b"y" * 20, b"")

    asyncio.run(scenario())


def test_time_in_which_a_child_is_not_waited_for_does_not_count() -> None:
    async def scenario() -> Cut | None:
        async with talking(seconds=0.05) as (conversation, _):
            conversation.send(Touch())
            conversation.rest()
            await asyncio.sleep(0.1)  # what would have ended it
            conversation.pause()
            conversation.resume()  # which is no reason to wait for it
            await asyncio.sleep(0.1)
            assert not conversation.cut_short.is_set()
            conversation.send(Touch())
            assert [item async for item in conversation] == []
            return conversation.end

    assert asyncio.run(scenario()) == Cut.DEADLINE


def test_a_child_that_was_taken_while_it_warmed_up_may_say_that_it_did() -> None:
    async def scenario() -> tuple[list[object], bool]:
        async with talking() as (conversation, peer):
            conversation.child.touch(lambda: None)
            peer.channel.sendall(encode_frame(Touched()))
            peer.finish()
            return [item async for item in conversation], conversation.child.touched

    assert asyncio.run(scenario()) == ([Over(ending="finished")], True)


def test_after_a_cut_nothing_is_sent_or_read_and_what_was_read_before_is_given() -> None:
    async def scenario() -> None:
        async with talking() as (conversation, peer):
            for _ in range(2):
                peer.show(0)
            await anext(conversation)
            conversation.cut(Cut.STOPPED)
            conversation.send(Touch())
            peer.show(0)
            peer.channel.setblocking(False)
            with pytest.raises(BlockingIOError):
                peer.channel.recv(1)
            assert [in_words(item) async for item in conversation] == ["shown"]
            assert conversation.end is Cut.STOPPED

    asyncio.run(scenario())
