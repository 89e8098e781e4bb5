"""Packets with descriptors, sent to a reader who is slow or gone."""

import asyncio
import gc
import os
import socket
from collections.abc import Awaitable, Callable

import pytest

from app.runner.conversation.send_queue import SendQueue

PACKETS = 200


def over_a_socket(scenario: Callable[[SendQueue, socket.socket, list[str]], Awaitable[None]]) -> list[str]:
    """Play a scenario with a packet queue and its reader, and return the reasons that the queue reported for breaking."""
    broken: list[str] = []

    async def play() -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        ours.setblocking(False)
        with ours, theirs:
            outbox = SendQueue(ours, broken.append)
            await scenario(outbox, theirs, broken)
            outbox.close()

    gc.collect()  # descriptors that tests before this one left open are closed now, and not meanwhile
    before = len(os.listdir("/proc/self/fd"))
    asyncio.run(play())
    assert len(os.listdir("/proc/self/fd")) == before
    return broken


def a_descriptor(number: int) -> int:
    """Return the reading end of a pipe that contains the number."""
    reader, writer = os.pipe()
    os.write(writer, str(number).encode())
    os.close(writer)
    return reader


def test_packets_wait_for_a_slow_reader_with_their_descriptors() -> None:
    async def scenario(outbox: SendQueue, reader: socket.socket, _: list[str]) -> None:
        for number in range(PACKETS):
            outbox.send(str(number).encode(), [a_descriptor(number)])
        for number in range(PACKETS):
            packet, (descriptor,), _, _ = await asyncio.to_thread(socket.recv_fds, reader, 100, 3)
            assert (packet, os.read(descriptor, 100)) == (str(number).encode(), str(number).encode())
            os.close(descriptor)

    assert over_a_socket(scenario) == []


def test_what_a_reader_who_is_gone_never_took_is_let_go_of() -> None:
    async def scenario(outbox: SendQueue, reader: socket.socket, _: list[str]) -> None:
        for number in range(PACKETS):
            outbox.send(b"packet", [a_descriptor(number)])
        reader.close()
        outbox.send(b"packet", [a_descriptor(0)])

    assert over_a_socket(scenario) == []


def test_a_packet_that_can_never_be_sent_is_reported() -> None:
    async def scenario(outbox: SendQueue, reader: socket.socket, broken: list[str]) -> None:
        outbox.send(b"x" * 1_000_000)
        await asyncio.sleep(0)
        assert broken

    assert len(over_a_socket(scenario)) == 1


@pytest.mark.parametrize("packets", [1, PACKETS])
def test_closing_lets_go_of_what_is_unsent(packets: int) -> None:
    async def scenario(outbox: SendQueue, reader: socket.socket, _: list[str]) -> None:
        for number in range(packets):
            outbox.send(b"packet", [a_descriptor(number)])

    assert over_a_socket(scenario) == []
