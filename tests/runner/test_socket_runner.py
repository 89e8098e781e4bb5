"""How the client reports a runner that is missing, refuses, breaks off, or has another version."""

import asyncio
import select
import socket as sockets
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Self

import pytest
from msgspec import Raw

from app.protocol.event import RunEvent, Started, Stdout
from app.protocol.event_frame import encode_frame
from app.protocol.outcome import Outcome
from app.protocol.run import Program, RunOrder, RunResult, Source, Timing
from app.protocol.sandbox import RunnerStatus
from app.runner.client import QueueFull, RunLost, RunnerError, RunnerIncompatible, RunnerUnavailable, RunnerUnconfined
from app.runner.socket_runner import SocketRunner

ORDER = RunOrder(program=Program(source=Source(text="1")))
STARTED = encode_frame(Started("r1"))
RESULT = RunResult(id="r1", outcome=Outcome.FINISHED, timing=Timing(queued_ms=0, run_ms=1, total_ms=1))
NAMED = "x-run-id: r1"


def answer(status: str, body: bytes = b"", *headers: str, length: int | None = None) -> bytes:
    """Return an HTTP answer. It breaks off if `length` is larger than the length of the body."""
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body) if length is None else length}", *headers]
    return "\r\n".join((*lines, "", "")).encode() + body


async def run(runner: SocketRunner) -> list[RunEvent]:
    async with runner.run(ORDER) as stream:
        return [event async for event in stream]


async def pass_on(runner: SocketRunner) -> list[bytes]:
    async with runner.run(ORDER) as stream:
        return [await frame.whole() async for frame in stream.frames()]


async def status(runner: SocketRunner) -> RunnerStatus:
    return await runner.status()


def ask(socket: Path, answered: bytes, question: Callable[[SocketRunner], Coroutine[Any, Any, Any]] = run) -> Any:
    """Return or raise what the client makes of a canned answer."""

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answered)
        await writer.drain()
        writer.close()

    async def exchange() -> Any:
        async with await asyncio.start_unix_server(reply, socket), SocketRunner(socket) as runner:
            return await question(runner)

    return asyncio.run(exchange())


@pytest.mark.parametrize("question", [run, status])
def test_a_runner_that_is_not_there_is_unavailable(tmp_path: Path, question: Callable[[SocketRunner], Coroutine[Any, Any, Any]]) -> None:
    async def exchange() -> None:
        async with SocketRunner(tmp_path / "none") as runner:
            await question(runner)

    with pytest.raises(RunnerUnavailable):
        asyncio.run(exchange())


@pytest.mark.parametrize(
    ("answered", "error"),
    [
        (b"", RunnerUnavailable),
        (answer("500 Internal Server Error"), RunnerUnavailable),
        (answer("503 Service Unavailable"), RunnerUnavailable),
        (answer("429 Too Many Requests", b'{"reason":"learner","retry_after_seconds":7}'), QueueFull),
        (answer("429 Too Many Requests", b"come back later"), RunnerIncompatible),
        (answer("403 Forbidden"), RunnerUnconfined),
        (answer("422 Unprocessable Content", b"missing field"), RunnerIncompatible),
        (answer("404 Not Found"), RunnerIncompatible),
        (answer("200 OK", STARTED), RunnerIncompatible),
        (answer("200 OK", b"\xff" + STARTED[1:], NAMED), RunnerIncompatible),
        (answer("200 OK", b"<html></html>", NAMED), RunnerIncompatible),
        (answer("200 OK", STARTED, NAMED, length=1000), RunLost),
        (answer("200 OK", STARTED[:-1], NAMED), RunLost),
        (answer("200 OK", STARTED[:3], NAMED), RunLost),
    ],
)
@pytest.mark.parametrize("question", [run, pass_on])
def test_each_way_to_fail_has_an_error_of_its_own(
    tmp_path: Path, answered: bytes, error: type[RunnerError], question: Callable[[SocketRunner], Coroutine[Any, Any, Any]]
) -> None:
    with pytest.raises(RunnerError) as raised:
        ask(tmp_path / "socket", answered, question)
    assert type(raised.value) is error


def test_a_full_queue_says_which_cap_and_when_to_come_back(tmp_path: Path) -> None:
    with pytest.raises(QueueFull) as raised:
        ask(tmp_path / "socket", answer("429 Too Many Requests", b'{"reason":"learner","retry_after_seconds":7}'))
    assert (raised.value.reason, raised.value.retry_after_seconds) == ("learner", 7)


def test_a_refused_order_is_told_with_the_runners_reason(tmp_path: Path) -> None:
    with pytest.raises(RunnerIncompatible, match="missing field"):
        ask(tmp_path / "socket", answer("422 Unprocessable Content", b"missing field"))


def test_the_events_are_read_in_order(tmp_path: Path) -> None:
    events = ask(tmp_path / "socket", answer("200 OK", STARTED + encode_frame(Stdout("1")), NAMED))
    assert events == [Started("r1"), Stdout("1")]


def test_an_event_without_its_fields_is_of_another_version(tmp_path: Path) -> None:
    with pytest.raises(RunnerIncompatible):
        ask(tmp_path / "socket", answer("200 OK", STARTED.replace(b'"id"', b'"ID"'), NAMED))


@pytest.mark.parametrize(
    ("answered", "error"),
    [
        (answer("500 Internal Server Error"), RunnerUnavailable),
        (answer("404 Not Found"), RunnerIncompatible),
        (answer("200 OK", b"fine"), RunnerIncompatible),
    ],
)
def test_a_status_that_cannot_be_read_is_no_status(tmp_path: Path, answered: bytes, error: type[RunnerError]) -> None:
    with pytest.raises(error):
        ask(tmp_path / "socket", answered, status)


COMPLETE = answer("200 OK", STARTED + encode_frame(RESULT), NAMED)


class Listener:
    """A runner in a thread, which treats each connection as it is told. `seen`: how many orders were read on each."""

    def __init__(self, socket: Path, *connections: Callable[["Connection"], None]) -> None:
        self._listening = sockets.socket(sockets.AF_UNIX)
        self._listening.bind(str(socket))
        self._listening.listen()
        self._connections = connections
        self.seen: list[int] = []

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return self

    def join(self) -> None:
        """Wait until all connections have been treated."""
        self._thread.join()

    def __exit__(self, *_: object) -> None:
        self.join()
        self._listening.close()

    def _serve(self) -> None:
        for treat in self._connections:
            with self._listening.accept()[0] as accepted:
                connection = Connection(accepted)
                treat(connection)
                self.seen.append(connection.seen)


class Connection:
    """One connection, as the runner sees it."""

    def __init__(self, socket: sockets.socket) -> None:
        self.socket = socket
        self.seen = 0

    def answer(self, data: bytes = COMPLETE) -> None:
        """Read an order and answer it."""
        head, _, body = self._read(b"").partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        while len(body) < length:
            body = self._read(body)
        self.seen += 1
        self.socket.sendall(data)

    def _read(self, before: bytes) -> bytes:
        data = self.socket.recv(65_536)
        assert data, "the connection was closed"
        return before + data

    def await_order(self) -> None:
        """Wait until there is one, and leave it unread."""
        select.select([self.socket], [], [])

    def await_end(self) -> None:
        assert self.socket.recv(1) == b""


def run_each(socket: Path, times: int) -> list[str]:
    """Execute runs one after another, and return in words how each ended."""

    async def exchange() -> list[str]:
        found = []
        async with SocketRunner(socket) as runner:
            for _ in range(times):
                try:
                    await pass_on(runner)
                    found.append("complete")
                except RunnerError as error:
                    found.append(type(error).__name__)
        return found

    return asyncio.run(exchange())


def test_runs_that_were_followed_to_the_end_share_a_connection(tmp_path: Path) -> None:
    def serve(connection: Connection) -> None:
        for _ in range(3):
            connection.answer()

    with Listener(tmp_path / "socket", serve) as listener:
        assert run_each(tmp_path / "socket", 3) == ["complete"] * 3
    assert listener.seen == [3]


def test_an_order_on_a_connection_that_is_closed_just_then_is_sent_again(tmp_path: Path) -> None:
    def close_with_the_second_unread(connection: Connection) -> None:
        connection.answer()
        connection.await_order()

    with Listener(tmp_path / "socket", close_with_the_second_unread, Connection.answer) as listener:
        assert run_each(tmp_path / "socket", 2) == ["complete"] * 2
    assert listener.seen == [1, 1]


def test_an_order_that_was_read_is_not_sent_again(tmp_path: Path) -> None:
    def close_with_the_second_read(connection: Connection) -> None:
        connection.answer()
        connection.answer(b"")

    with Listener(tmp_path / "socket", close_with_the_second_read, Connection.answer) as listener:
        assert run_each(tmp_path / "socket", 3) == ["complete", "RunnerUnavailable", "complete"]
    assert listener.seen == [2, 1]


def test_to_leave_a_run_that_is_not_over_closes_its_connection(tmp_path: Path) -> None:
    def serve(connection: Connection) -> None:
        connection.answer(COMPLETE[:-20])
        connection.await_end()

    async def leave() -> None:
        async with SocketRunner(tmp_path / "socket") as runner:
            async with runner.run(ORDER) as stream:
                async for _ in stream.frames():
                    break
            await asyncio.to_thread(listener.join)  # while the runner is still open: closing that closes all its connections

    with Listener(tmp_path / "socket", serve) as listener:
        asyncio.run(leave())


def test_no_more_is_read_than_is_taken(tmp_path: Path) -> None:
    piece, count, sent = b"x" * 65_536, 200, 0

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer("200 OK", encode_frame(Raw(b"x" * len(piece) * count))[:100], NAMED, length=10**9))
        for _ in range(count):
            writer.write(piece)
            await writer.drain()
            sent += 1

    async def take_one() -> None:
        socket = tmp_path / "socket"
        async with await asyncio.start_unix_server(flood, socket), SocketRunner(socket) as runner, runner.run(ORDER) as stream:
            async for frame in stream.frames():
                await anext(aiter(frame))
                for _ in range(10 * count):  # ten times the turns it would take to send all
                    await asyncio.sleep(0)
                return

    asyncio.run(take_one())
    assert 0 < sent < count / 4
