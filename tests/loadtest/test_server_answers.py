"""How the answers of a server are interpreted."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from app.loadtest.server_answers import TurnedAway, Unserved, check_status, read_events, words_of


def stream_of(*parts: bytes) -> httpx.Response:
    async def send() -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    return httpx.Response(200, content=send())


async def collect(answer: httpx.Response) -> list[tuple[str, Any]]:
    return [event async for event in read_events(answer)]


@pytest.mark.parametrize("cut", range(0, 70, 7))
def test_events_are_read_wherever_the_network_cuts_them(cut: int) -> None:
    text = 'id: 0\nevent: stdout\ndata: {"text": "a: b\u2028c"}\n\n: keep-alive\n\nid: 1\nevent: result\ndata: {}\n\n'.encode()
    events = asyncio.run(collect(stream_of(text[:cut], text[cut:])))
    assert events == [("stdout", {"text": "a: b\u2028c"}), ("result", {})]


def test_lines_may_end_as_elsewhere() -> None:
    assert asyncio.run(collect(stream_of(b"event: started\r\ndata: 1\r\n\r\n"))) == [("started", 1)]


@pytest.mark.parametrize(
    ("status", "error", "path", "words", "seconds"),
    [
        (429, {"code": "queue_full", "reason": "address"}, "/api/runs", "run: 429 queue_full (address)", 7.0),
        (503, {"code": "unavailable"}, "/api/runs", "run: 503 unavailable", 7.0),
        (503, {}, "/en/", "page: 503", 7.0),
    ],
)
def test_what_is_worth_asking_again_says_when(status: int, error: dict[str, str], path: str, words: str, seconds: float) -> None:
    with pytest.raises(TurnedAway) as raised:
        check_status(httpx.Response(status, json={"error": error}, headers={"retry-after": "7"}), path)
    assert (str(raised.value), raised.value.seconds) == (words, seconds)


@pytest.mark.parametrize(("status", "words"), [(503, "run: 503 lost"), (500, "run: 500 lost"), (422, "run: 422 lost")])
def test_anything_else_is_an_error(status: int, words: str) -> None:
    with pytest.raises(Unserved, match=words):
        check_status(httpx.Response(status, json={"error": {"code": "lost"}}), "/api/runs")


def test_an_answer_that_is_not_of_the_api_is_an_error_too() -> None:
    with pytest.raises(Unserved, match="page: 502"):
        check_status(httpx.Response(502, text="Bad Gateway"), "/en/")


def test_an_error_speaks_for_itself() -> None:
    assert words_of(httpx.Response(503, json={"error": {"message": "starting"}})) == "starting"
    assert words_of(httpx.Response(400, text="allow it\n")) == "allow it"
