"""The API lists the instruments in the language of the request."""

import httpx
import pytest

from app.protocol.instrument_facts import INSTRUMENTS
from app.web.api.instruments import SHOWS

pytestmark = pytest.mark.anyio


async def test_the_instruments_of_a_runtime_are_listed_with_what_they_cost(client: httpx.AsyncClient) -> None:
    answer = (await client.get("/api/instruments")).json()
    assert answer["runtime"] == "torch"
    facts = [(one["name"], one["cost"], one["default"]) for one in answer["instruments"]]
    assert facts == [(one.name, one.cost, one.default) for one in INSTRUMENTS["torch"]]


async def test_what_they_show_is_told_in_the_language_of_the_request(client: httpx.AsyncClient) -> None:
    english = (await client.get("/api/instruments")).json()["instruments"]
    chinese = (await client.get("/api/instruments?lang=zh-Hans")).json()["instruments"]
    assert all(one["shows"].isascii() for one in english)
    assert not any(one["shows"].isascii() for one in chinese)


async def test_a_runtime_that_is_not_installed_is_422_and_the_installed_ones_are_named(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/instruments?runtime=cobol")
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "runtime"
    assert "torch" in answer.json()["error"]["message"]


def test_there_are_words_for_every_instrument_and_for_no_other() -> None:
    assert {facts.name for known in INSTRUMENTS.values() for facts in known} == set(SHOWS)
