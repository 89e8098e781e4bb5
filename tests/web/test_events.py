"""The event stream of a run: its shape on the wire, and what happens when somebody leaves."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from msgspec import Raw

from app.protocol.event import Failed, Queued, Started, Stderr, Stdout
from app.protocol.event_frame import EventFrame, encode_frame
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.records.registry import encode_record
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunOrder
from app.runner.client import RunLost, RunnerIncompatible, RunnerUnavailable, RunStream
from app.runner.event_stream import EventStream
from app.settings import Settings
from app.web.guards.connection_caps import caps_of
from app.web.guards.connections import Connections
from tests.patience import PATIENCE_SECONDS
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import RUN_ID, FakeRunner, FakeStream, make_events, make_result
from tests.web.serving import connect, serving

pytestmark = pytest.mark.anyio
STREAM = {"accept": "text/event-stream"}
LOST = RunLost("gone")


def parse_events(text: str) -> list[tuple[str, str, Any]]:
    """Return (id, event, data) of each event of a stream, without comments."""
    blocks = [dict(line.split(": ", 1) for line in block.split("\n")) for block in text.strip().split("\n\n")]
    return [(block["id"], block["event"], json.loads(block["data"])) for block in blocks if "" not in block]


async def stream(app: Any) -> list[tuple[str, str, Any]]:
    async with client_of(app) as client:
        answer = await client.post("/api/runs", json={"source": "x"}, headers=STREAM)
    assert answer.status_code == 200
    return parse_events(answer.text)


async def test_events_are_numbered_named_and_in_json(make_app: MakeApp) -> None:
    records = [ValueRecord(id="value-1", text="2"), Diagnosis(id="diagnosis-1", code="c", severity="hint")]
    events = [
        Queued(RUN_ID, 2),
        Queued(RUN_ID, 1),
        Started(RUN_ID),
        Stdout("a\n\nb"),
        Stderr("</script>\u2028"),
        *(Raw(encode_record(record)) for record in records),
        make_result(),
    ]
    seen = await stream(make_app(FakeRunner(events)))
    assert [number for number, _, _ in seen] == [str(number) for number in range(8)]
    assert [(name, data) for _, name, data in seen[:5]] == [
        ("queued", {"id": RUN_ID, "position": 2}),
        ("queued", {"id": RUN_ID, "position": 1}),
        ("started", {"id": RUN_ID}),
        ("stdout", {"text": "a\n\nb"}),
        ("stderr", {"text": "</script>\u2028"}),
    ]
    assert [name for _, name, _ in seen[5:]] == ["record", "record", "result"]
    assert seen[5][2]["kind"] == "value"
    assert seen[6][2]["code"] == "c"
    assert seen[7][2]["outcome"] == "finished"


async def test_the_headers_name_the_run_and_forbid_buffering(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/runs", json={"source": "x"}, headers=STREAM)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-run-id"] == RUN_ID
    assert answer.headers["x-accel-buffering"] == "no"
    assert "no-transform" in answer.headers["cache-control"]
    assert "content-length" not in answer.headers


@pytest.mark.parametrize("code", ["unavailable", "lost", "internal"])
async def test_a_fault_of_the_runner_is_an_error_event_with_its_code(make_app: MakeApp, code: str) -> None:
    seen = await stream(make_app(FakeRunner([Started(RUN_ID), Failed(code, "a secret detail")])))
    name, data = seen[-1][1:]
    assert (name, data["code"]) == ("error", code)
    assert set(data) == {"code", "message"}
    assert "secret" not in data["message"]


@pytest.mark.parametrize("last", [[LOST], []])
async def test_a_run_that_is_lost_is_an_error_event_and_not_repeated(make_app: MakeApp, last: list[Any]) -> None:
    runner = FakeRunner([Queued(RUN_ID, 1), Started(RUN_ID), *last], make_events())
    seen = await stream(make_app(runner))
    assert [(number, name) for number, name, _ in seen] == [("0", "queued"), ("1", "started"), ("2", "error")]
    assert seen[-1][2]["code"] == "lost"
    assert len(runner.orders) == 1


async def test_an_event_that_cannot_be_read_is_an_error_event(make_app: MakeApp) -> None:
    seen = await stream(make_app(FakeRunner([Started(RUN_ID), RunnerIncompatible("no event")])))
    assert seen[-1][2]["code"] == "incompatible"


async def test_a_fault_of_ours_in_the_stream_is_an_error_event_without_details(make_app: MakeApp) -> None:
    seen = await stream(make_app(FakeRunner([Started(RUN_ID), ValueError("secret")])))
    assert seen[-1][1] == "error"
    assert seen[-1][2]["code"] == "internal"
    assert "secret" not in seen[-1][2]["message"]


async def test_an_unavailable_runner_is_503_while_nothing_was_sent(make_app: MakeApp) -> None:
    async with client_of(make_app(FakeRunner(RunnerUnavailable("gone")))) as client:
        assert (await client.post("/api/runs", json={"source": "x"}, headers=STREAM)).status_code == 503


@pytest.mark.parametrize(
    ("accepted", "encoding"), [("identity", "identity"), ("gzip", "gzip"), ("gzip, deflate, br, zstd", "gzip"), ("br, zstd", "identity")]
)
async def test_events_arrive_while_the_run_goes_on(make_app: MakeApp, accepted: str, encoding: str) -> None:
    runner = FakeRunner([Started(RUN_ID), Stdout("now\n")], hang=True)
    async with serving(make_app(runner)) as port, connect(port) as client:
        headers = {**STREAM, "accept-encoding": accepted}
        async with client.stream("POST", "/api/runs", json={"source": "x"}, headers=headers) as answer:
            assert answer.headers.get("content-encoding", "identity") == encoding
            text = ""
            async for piece in answer.aiter_text():
                text += piece
                if '"now' in text:
                    break
        async with asyncio.timeout(10):
            await runner.left.wait()


async def test_a_silent_stream_is_kept_alive_with_comments(make_app: MakeApp) -> None:
    runner = FakeRunner([Started(RUN_ID)], hang=True)
    async with (
        serving(make_app(runner, keep_alive_seconds=0.01)) as port,
        httpx.AsyncClient(timeout=PATIENCE_SECONDS) as client,
        client.stream("POST", f"http://127.0.0.1:{port}/api/runs", json={"source": "x"}, headers=STREAM) as answer,
    ):
        async for line in answer.aiter_lines():
            if line == ": keep-alive":
                break


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_closing_the_connection_kills_the_run(make_app: MakeApp, accept: str) -> None:
    runner = FakeRunner([Queued(RUN_ID, 1), Started(RUN_ID)], hang=True)
    body = b'{"source": "x"}'
    head = f"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    async with serving(make_app(runner)) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode() + body)
        async with asyncio.timeout(10):
            await runner.entered.wait()
        assert not runner.left.is_set()
        writer.close()
        async with asyncio.timeout(10):
            await runner.left.wait()
        async with connect(port) as client:
            assert 'gradroom_web_runs_total{ending="abandoned"} 1.0' in (await client.get("/metrics")).text


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_who_reads_nothing_is_dropped_and_has_abandoned_the_run(make_app: MakeApp, accept: str) -> None:
    runner = FakeRunner([Started(RUN_ID), make_result("x" * 20_000_000)])
    body = b'{"source": "x"}'
    head = f"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    connections = Connections(caps_of(Settings(patience_seconds=1), overall=100))
    async with serving(make_app(runner), connections) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(head.encode() + body)
        async with asyncio.timeout(20):
            await runner.left.wait()
        assert connections.buffered.total < 300_000
        async with connect(port) as client:
            assert 'gradroom_web_runs_total{ending="abandoned"} 1.0' in (await client.get("/metrics")).text
        writer.close()


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_large_result_arrives_whole(make_app: MakeApp, accept: str) -> None:
    runner = FakeRunner([Started(RUN_ID), make_result("中\n" * 500_000)])
    async with serving(make_app(runner)) as port, connect(port) as client:
        answer = await client.post("/api/runs", json={"source": "x"}, headers={"accept": accept})
        result = parse_events(answer.text)[-1][2] if accept == "text/event-stream" else answer.json()
        assert result["stdout"] == "中\n" * 500_000
        assert 'gradroom_web_runs_total{ending="finished"} 1.0' in (await client.get("/metrics")).text


async def test_a_run_that_is_lost_in_the_middle_of_an_event_breaks_off_without_it(make_app: MakeApp) -> None:
    class HalfStream(FakeStream):
        def frames(self) -> AsyncIterator[EventFrame]:
            async def chunks() -> AsyncIterator[bytes]:
                yield encode_frame(Started(RUN_ID)) + encode_frame(Raw(b'"' + b"x" * 1_000_000 + b'"'))[:20_000]
                for _ in range(5):
                    yield b"x" * 65_536
                raise LOST

            return EventStream(chunks()).frames()

    class HalfRunner(FakeRunner):
        @asynccontextmanager
        async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
            yield HalfStream([], hang=False)

    async with client_of(make_app(HalfRunner())) as client:
        answer = await client.post("/api/runs", json={"source": "x"}, headers=STREAM)
        assert not answer.text.endswith("\n\n")
        assert [name for _, name, _ in parse_events(answer.text.rpartition("\n\n")[0])] == ["started"]
        assert 'gradroom_web_runs_total{ending="failed"} 1.0' in (await client.get("/metrics")).text
