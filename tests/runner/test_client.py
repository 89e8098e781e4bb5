"""What the client makes of a runner that is not there, refuses, breaks off, or speaks another version's language."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from app.protocol.event import RunEvent, Started, Stdout
from app.protocol.run import Program, RunOrder, Source
from app.protocol.sandbox import RunnerStatus
from app.runner.client import (
    QueueFull,
    RunLost,
    RunnerError,
    RunnerIncompatible,
    RunnerUnavailable,
    RunnerUnconfined,
    SocketRunner,
)

ORDER = RunOrder(program=Program(source=Source(text="1")))
STARTED = b'{"event":"started","id":"r1"}\n'
NAMED = "x-run-id: r1"


def answer(status: str, body: bytes = b"", *headers: str, length: int | None = None) -> bytes:
    """An HTTP answer, which with a larger `length` than its body has breaks off."""
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body) if length is None else length}", *headers]
    return "\r\n".join((*lines, "", "")).encode() + body


async def run(runner: SocketRunner) -> list[RunEvent]:
    async with runner.run(ORDER) as stream:
        return [event async for event in stream]


async def pass_on(runner: SocketRunner) -> list[bytes]:
    async with runner.run(ORDER) as stream:
        return [await event.whole() async for event in stream.encoded()]


async def status(runner: SocketRunner) -> RunnerStatus:
    return await runner.status()


def ask(socket: Path, answered: bytes, question: Callable[[SocketRunner], Coroutine[Any, Any, Any]] = run) -> Any:
    """What the client makes of one canned answer."""

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
        (answer("200 OK", b'{"event":"of tomorrow"}\n', NAMED), RunnerIncompatible),
        (answer("200 OK", b"\xff\n", NAMED), RunnerIncompatible),
        (answer("200 OK", STARTED, NAMED, length=1000), RunLost),
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
    events = ask(tmp_path / "socket", answer("200 OK", STARTED + b'{"event":"stdout","text":"1"}\n', NAMED))
    assert events == [Started("r1"), Stdout("1")]


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
