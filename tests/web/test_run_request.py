"""Bodies of `POST /api/runs`, and the messages about wrong ones."""

import json
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from app.protocol.limits import SOURCE_BYTES
from app.web.runs.run_request import RunRequest
from tests.web.fake_runner import FakeRunner

pytestmark = pytest.mark.anyio
CELL = {"source": "x", "lesson": "one/first", "cell": "use"}


async def post(client: httpx.AsyncClient, body: bytes | dict[str, Any]) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body)
    return await client.post("/api/runs", content=content, headers={"content-type": "application/json"})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "source"),
        ({"source": 1}, "source"),
        ({"source": None}, "source"),
        (b'{"source": "\\ud800"}', "source"),
        (b'{"source": "x\\u0000"}', "source"),
        (b'{"source": "\\udc00\\ud800"}', "source"),
        ({"source": "x" * (SOURCE_BYTES + 1)}, "source"),
        ({"source": "中" * (SOURCE_BYTES // 3 + 1)}, "source"),
        ({"source": "x", "runtime": "cobol"}, "runtime"),
        ({"source": "x", "runtime": 1}, "runtime"),
        ({"source": "x", "lesson": "first"}, "lesson"),
        ({"source": "x", "lesson": "../x"}, "lesson"),
        ({"source": "x", "lesson": 4}, "lesson"),
        ({**CELL, "cell": "Use!"}, "cell"),
        ({**CELL, "cell": ["use"]}, "cell"),
        ({**CELL, "sources": []}, "sources"),
        ({**CELL, "sources": {"make": 1}}, "sources.make"),
        ({**CELL, "sources": {"Make": "x"}}, "sources"),
        ({**CELL, "sources": {"make": "x" * (SOURCE_BYTES + 1)}}, "sources.make"),
        ({**CELL, "sources": {f"c{number}": "" for number in range(65)}}, "sources"),
        (b'{"source": "x", "lesson": "one/first", "sources": {"make": "\\ud800"}}', "sources.make"),
        ({"source": "x", "seed": -1}, "seed"),
        ({"source": "x", "seed": 2**32}, "seed"),
        ({"source": "x", "seed": 1.5}, "seed"),
        ({"source": "x", "seed": "1"}, "seed"),
        ({"source": "x", "seed": True}, "seed"),
        ({"source": "x", "instruments": "replay"}, "instruments"),
        ({"source": "x", "instruments": [1]}, "instruments"),
        ({"source": "x", "instruments": ["a"] * 33}, "instruments"),
        ({"source": "x", "lang": "fr"}, "lang"),
        ({"source": "x", "code": "y"}, "code"),
        (b"", "body"),
        (b"[]", "body"),
        (b"null", "body"),
        (b'{"source": "x"', "body"),
        (b'{"source": "x"} {}', "body"),
        (b'{"source": "\xff"}', "body"),
        (b"[" * 100_000, "body"),
        (b'{"seed": ' + b"[" * 100_000, "body"),
        (b'{"source": "x", "\\ud800": 1}', "body"),
        (b'{"source": "x", "lesson": "one/first", "sources": {"\\ud800": "x"}}', "sources"),
        ({"source": "x", "n" * 200: 1}, "n" * 80),
    ],
)
async def test_bad_input_is_422_and_names_the_field(
    client: httpx.AsyncClient, runner: FakeRunner, body: bytes | dict[str, Any], field: str
) -> None:
    answer = await post(client, body)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field
    assert field in answer.json()["error"]["message"] or answer.json()["error"]["code"] == "too_long"
    assert runner.orders == []


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"source": "x", **{f"f{number}": 1 for number in range(50_000)}}, "unknown_field", "f0"),
        ({"source": "x", "\ud800": 1, **{f"f{number}": 1 for number in range(10)}}, "unknown_field", "?"),
        ({**CELL, "sources": {f"C{number}": 1 for number in range(50_000)}}, "bad_field", "sources"),
        ({"source": "x", "instruments": [1] * 50_000}, "bad_field", "instruments"),
    ],
)
async def test_of_very_many_faults_only_one_is_looked_for(client: httpx.AsyncClient, body: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(ValidationError) as raised:
        RunRequest.model_validate(body)
    assert raised.value.error_count() == 1
    error = (await post(client, body)).json()["error"]
    assert (error["code"], error["field"]) == (code, field)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "missing_field"),
        ({"source": 1}, "bad_field"),
        ({"source": "x", "code": "y"}, "unknown_field"),
        (b'{"source": ', "bad_json"),
        (b'{"source": "\xff"}', "bad_json"),
    ],
)
async def test_the_code_says_what_is_wrong(client: httpx.AsyncClient, body: bytes | dict[str, Any], code: str) -> None:
    assert (await post(client, body)).json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("lang", "message"),
    [
        ("en", "seed: expected a whole number from 0 to 4294967295."),
        ("zh-Hans", "seed：应为 0 到 4294967295 之间的整数。"),
    ],
)
async def test_the_complaint_is_the_fields_description(client: httpx.AsyncClient, lang: str, message: str) -> None:
    error = (await post(client, {"source": "x", "seed": 1.5, "lang": lang})).json()["error"]
    assert error == {"code": "bad_field", "message": message, "field": "seed"}


@pytest.mark.parametrize(
    ("lang", "message"),
    [("en", "This program is 88 kB long; a run takes at most 64 kB."), ("zh-Hans", "这个程序长 88 kB；一次运行最多接受 64 kB。")],
)
async def test_too_long_a_program_is_told_how_long_it_is(client: httpx.AsyncClient, lang: str, message: str) -> None:
    error = (await post(client, {"source": "x" * 90_000, "lang": lang})).json()["error"]
    assert error == {"code": "too_long", "message": message, "field": "source"}


@pytest.mark.parametrize(
    "body",
    [
        {"source": ""},
        {"source": "x" * SOURCE_BYTES},
        {"source": "😀" * (SOURCE_BYTES // 4)},
        {"source": "x", "runtime": None, "lesson": None, "cell": None, "lang": None, "instruments": None},
        {"source": "x", "runtime": "torch", "seed": 2**32 - 1},
        {"source": "x", "lesson": "one/first"},
        {**CELL, "sources": {"make": "", "fail": "", "use": "is not replayed"}},
    ],
)
async def test_good_input_is_run(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    assert (await post(client, body)).status_code == 200


async def test_the_complaint_is_in_the_language_of_the_body(client: httpx.AsyncClient) -> None:
    english = (await post(client, {"source": "x", "seed": -1})).json()["error"]["message"]
    chinese = (await post(client, {"source": "x", "seed": -1, "lang": "zh-Hans"})).json()["error"]["message"]
    assert english != chinese
    assert english.isascii()
    assert not chinese.isascii()


async def test_the_complaint_about_a_lone_surrogate_is_in_the_language_of_the_body(client: httpx.AsyncClient) -> None:
    answer = await post(client, b'{"source": "\\ud800", "lang": "zh-Hans"}')
    assert not answer.json()["error"]["message"].isascii()


async def test_a_body_over_the_cap_is_413(client: httpx.AsyncClient) -> None:
    answer = await post(client, {"source": "x", "sources": {"a": "x" * 2_000_000}})
    assert answer.status_code == 413


async def test_a_body_over_the_cap_is_413_also_when_its_length_is_not_declared(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    async def pieces() -> Any:
        for _ in range(40):
            yield b" " * 65_536

    answer = await client.post("/api/runs", content=pieces(), headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert runner.orders == []


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded"])
async def test_a_body_that_is_not_declared_as_json_is_415(client: httpx.AsyncClient, content_type: str | None) -> None:
    headers = {"content-type": content_type} if content_type else {}
    assert (await client.post("/api/runs", content=b'{"source": "x"}', headers=headers)).status_code == 415
