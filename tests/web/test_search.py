"""`GET /api/search`, and the search page as a browser without JavaScript gets it."""

import asyncio
import re
from urllib.parse import urlencode

import httpx
import pytest

from app.web.api.search import MOST_RESULTS
from app.web.guards.search_turns import MOST_WAITING, MOST_WAITING_PER_LEARNER
from tests.web.conftest import MakeApp, client_of

pytestmark = pytest.mark.anyio
HOSTILE = '"><script>alert(1)</script>'


async def ask(client: httpx.AsyncClient, **values: object) -> httpx.Response:
    return await client.get("/api/search", params={key: str(value) for key, value in values.items()})


async def test_an_answer_says_where_a_place_is(client: httpx.AsyncClient) -> None:
    answer = await ask(client, q="first", lang="en", limit=1)
    assert answer.json() == {
        "query": "first",
        "results": [
            {
                "kind": "lesson",
                "title": "First",
                "where": "1 · One",
                "excerpt": [{"text": "First", "match": True}, {"text": ". Look:", "match": False}],
                "url": "/en/one/first",
            }
        ],
    }


async def test_the_language_is_that_of_the_request(client: httpx.AsyncClient) -> None:
    assert (await ask(client, q="first", lang="zh-Hans")).json()["results"][0]["title"] == "第一课"
    answer = await client.get("/api/search?q=first", headers={"accept-language": "zh-CN"})
    assert answer.json()["results"][0]["url"] == "/zh-Hans/one/first"
    assert "accept-language" in answer.headers["vary"]


@pytest.mark.parametrize("limit", [0, -1, MOST_RESULTS + 1, "many"])
async def test_a_limit_out_of_bounds_is_named(client: httpx.AsyncClient, limit: object) -> None:
    answer = await ask(client, q="first", limit=limit)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "limit"
    assert answer.json()["error"]["message"] == "limit: expected a whole number from 1 to 20, of results at most."


async def test_no_more_than_the_limit_is_answered(client: httpx.AsyncClient) -> None:
    assert len((await ask(client, q="gradient", limit=3)).json()["results"]) == 3
    assert (await ask(client)).json() == {"query": "", "results": []}


async def test_the_end_of_a_long_text_is_searched_for(client: httpx.AsyncClient) -> None:
    answer = await ask(client, q="x" * 30_000 + " first")
    assert answer.json()["results"][0]["title"] == "First"
    assert len(answer.json()["query"]) <= 4000


@pytest.mark.parametrize(("lang", "title", "found"), [("en", "Search", "First"), ("zh-Hans", "搜索", "第一课")])
async def test_the_page_searches_without_scripts(client: httpx.AsyncClient, lang: str, title: str, found: str) -> None:
    text = (await client.get(f"/{lang}/search?q=first")).text
    assert f"<h1>{title}</h1>" in text
    assert f'<a href="/{lang}/one/first">{found}</a>' in text
    assert re.search(rf'<form [^>]*method="get" action="/{lang}/search">', text)
    assert 'value="first"' in text


async def test_an_empty_page_says_what_can_be_found(client: httpx.AsyncClient) -> None:
    text = (await client.get("/en/search")).text
    assert "PyTorch’s messages" in text.split("<main")[1]
    assert "found-places" not in text


async def test_what_is_not_found_leads_to_the_playground(client: httpx.AsyncClient) -> None:
    text = (await client.get("/en/search?q=zzzz")).text
    assert "Nothing found." in text
    assert 'the <a href="/en/playground">Playground</a>:' in text.split("<main")[1]


async def test_the_other_language_has_the_same_search(client: httpx.AsyncClient) -> None:
    assert 'href="/zh-Hans/search?q=two+words" lang="zh-Hans"' in (await client.get("/en/search?q=two+words")).text


@pytest.mark.parametrize("query", [HOSTILE, f"first {HOSTILE}", "\0\ud800".encode("utf-8", "replace").decode(), "%00%ED%A0%80", "x" * 9000])
async def test_whatever_is_searched_for_is_only_text(client: httpx.AsyncClient, query: str) -> None:
    answer = await client.get(f"/en/search?{urlencode({'q': query})}")
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert (await client.get("/en/search?q=%ED%A0%80%00")).status_code == 200


async def test_an_address_without_a_language_leads_to_one(client: httpx.AsyncClient) -> None:
    answer = await client.get("/search?q=a%20b", headers={"accept-language": "zh-CN"})
    assert answer.headers["location"] == "/zh-Hans/search?q=a%20b"


async def test_searches_beyond_those_that_may_wait_are_refused(make_app: MakeApp) -> None:
    async with client_of(make_app()) as client:
        await client.get("/en/search")
        answers = await asyncio.gather(*(ask(client, q="first") for _ in range(MOST_WAITING_PER_LEARNER + 1)))
        nothing = await asyncio.gather(*(ask(client, q=" ") for _ in range(MOST_WAITING_PER_LEARNER + 1)))
        assert {answer.status_code for answer in nothing} == {200}
        assert sorted(answer.status_code for answer in answers) == [200] * MOST_WAITING_PER_LEARNER + [429]
        (refused,) = (answer for answer in answers if answer.status_code == 429)
        assert (refused.json()["error"]["reason"], refused.headers["retry-after"]) == ("searches", "2")
        assert (await ask(client, q="first")).status_code == 200


async def test_no_more_searches_wait_than_there_may_be(make_app: MakeApp) -> None:
    """Later searches are refused; without scripts the refusal is a page."""
    app = make_app()
    clients = [client_of(app, f"192.0.2.{number // 8}") for number in range(MOST_WAITING + MOST_WAITING_PER_LEARNER)]  # without cookies
    answers = await asyncio.gather(*(one.get("/en/search?q=first") for one in clients))
    assert [answer.status_code for answer in answers] == [200] * MOST_WAITING + [429] * MOST_WAITING_PER_LEARNER
    assert "Many people are searching right now." in answers[-1].text.split("<main")[1]
    assert answers[-1].headers["retry-after"] == "2"
