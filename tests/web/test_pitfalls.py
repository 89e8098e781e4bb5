"""The pages about pitfalls, as a browser without JavaScript gets them."""

import re
from urllib.parse import quote

import httpx
import pytest

from app.pitfalls.pitfall_book import load_pitfalls
from tests.web.test_pages import HOSTILE

pytestmark = pytest.mark.anyio
MESSAGE = "RuntimeError: grad can be implicitly created only for scalar outputs"
TITLES = [("en", "Pitfalls", "Functions of your own"), ("zh-Hans", "常见错误", "自己写的 Function")]
NAMED = [one for one in load_pitfalls().pitfalls.values() if one.name]


def listed(text: str) -> list[str]:
    """The codes of the pitfalls that a page links to, in its order."""
    return re.findall(r'<li><a href="/(?:en|zh-Hans)/pitfalls/([a-z0-9-]+)">', text)


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
async def test_each_pitfall_with_a_name_has_a_page(client: httpx.AsyncClient, lang: str) -> None:
    assert len(NAMED) > 50
    for pitfall in NAMED:
        answer = await client.get(f"/{lang}/pitfalls/{pitfall.code}")
        assert answer.status_code == 200
        assert f'<html lang="{lang}">' in answer.text
        assert f"/pitfalls/{pitfall.code}-" not in answer.text
        assert answer.text.count("<code-cell") == (2 if pitfall.right else 1)
        assert not re.search(r"\{[a-z_]+\}", answer.text.split('id="page-data"')[0])


async def test_a_silent_one_says_so_and_shows_both_programs(client: httpx.AsyncClient) -> None:
    text = (await client.get("/en/pitfalls/intermediate-saved")).text
    assert "PyTorch says nothing" in text
    assert re.findall(r'data-cell="(intermediate-saved-\w+)" data-number="(\d)" data-filename="(\w+\.py)" data-runtime="torch"', text) == [
        ("intermediate-saved-wrong", "1", "wrong.py"),
        ("intermediate-saved-right", "2", "right.py"),
    ]
    assert "ctx.save_for_backward(" in text
    assert "Cube saves <code>square</code>" in text


async def test_one_that_raises_shows_the_message(client: httpx.AsyncClient) -> None:
    text = (await client.get("/en/pitfalls/not-a-scalar")).text
    assert f"<code>{MESSAGE}…" in text
    assert "PyTorch says nothing" not in text


async def test_a_page_leads_to_what_belongs_to_it(client: httpx.AsyncClient) -> None:
    cause = next(one for one in NAMED if any(load_pitfalls().pitfalls[code].name for code in one.explains))
    consequence = next(code for code in cause.explains if load_pitfalls().pitfalls[code].name)
    assert consequence in listed((await client.get(f"/en/pitfalls/{cause.code}")).text)
    assert cause.code in listed((await client.get(f"/en/pitfalls/{consequence}")).text)


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("code", ["nothing", "missing-colon", "..%2Ftorch", "not-a-scalar/more", quote(HOSTILE, safe="")])
async def test_an_unknown_code_has_the_page_of_what_is_not_there(client: httpx.AsyncClient, lang: str, code: str) -> None:
    answer = await client.get(f"/{lang}/pitfalls/{code}", headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert f'<html lang="{lang}">' in answer.text
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize(("lang", "title", "group"), TITLES)
async def test_the_list_has_each_under_what_it_is_about(client: httpx.AsyncClient, lang: str, title: str, group: str) -> None:
    text = (await client.get(f"/{lang}/pitfalls")).text
    assert f"<h1>{title}</h1>" in text
    assert f">{group}</h2>" in text
    assert sorted(listed(text)) == sorted(one.code for one in NAMED)


async def test_the_list_has_the_form_of_the_search(client: httpx.AsyncClient) -> None:
    text = (await client.get("/en/pitfalls")).text
    assert re.search(r'<form [^>]*action="/en/search">', text)


@pytest.mark.parametrize("path", ["pitfalls", "pitfalls/not-a-scalar"])
async def test_an_address_without_a_language_leads_to_one(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(f"/{path}?q=a%20b", headers={"accept-language": "zh-CN"})
    assert answer.headers["location"] == f"/zh-Hans/{path}?q=a%20b"


@pytest.mark.parametrize("page", ["glossary", "pitfalls", "what-works"])
async def test_the_reference_leads_to_all_that_can_be_looked_up(client: httpx.AsyncClient, page: str) -> None:
    assert f'href="/en/{page}"' in (await client.get("/en/reference")).text


async def test_pages_run_nothing_inline(client: httpx.AsyncClient) -> None:
    for path in ("/en/pitfalls", "/en/pitfalls/not-a-scalar"):
        text = (await client.get(path)).text
        assert re.findall(r"<style|\sstyle=|\son\w+=", text) == []
