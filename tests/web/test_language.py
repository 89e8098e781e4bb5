"""The language of answers."""

import httpx
import pytest

from app.web.http.language import preferred_lang


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("ZH-hans", "zh-Hans"),
        ("zh-Hans-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-CN,zh;q=0.9,en-US;q=0.8", "zh-Hans"),
        ("en-US,en;q=0.9,zh-CN;q=0.8", "en"),
        ("en;q=0.5, zh-CN", "zh-Hans"),
        ("zh;q=0", "en"),
        ("fr", "en"),
        ("fr,zh;q=0.9", "en"),
        ("*", "en"),
        ("zh-TW", "en"),
        ("zh;q=nonsense", "en"),
        (";;;,,,=", "en"),
        ("zh;q=nan", "en"),
    ],
)
def test_the_best_of_our_languages(header: str, lang: str) -> None:
    assert preferred_lang(header) == lang


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("path", "target"),
    [("/one", "/zh-Hans/one"), ("/one/first", "/zh-Hans/one/first"), ("/playground", "/zh-Hans/playground")],
)
async def test_an_address_without_a_language_or_a_lesson_leads_on(client: httpx.AsyncClient, path: str, target: str) -> None:
    answer = await client.get(path, headers={"accept-language": "zh-CN"})
    assert (answer.status_code, answer.headers["location"]) == (307, target)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/zh-hans/", "/zh-Hans/"),
        ("/zh-hans", "/zh-Hans/"),
        ("/ZH-HANS/one/first?a=1&b=%2F", "/zh-Hans/one/first?a=1&b=%2F"),
        ("/EN/one", "/en/one"),
        ("/zh-hans/no/such%20page", "/zh-Hans/no/such%20page"),
    ],
)
async def test_a_language_in_another_case_leads_to_its_spelling_for_good(client: httpx.AsyncClient, path: str, target: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (308, target)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "path", ["/none", "/one/none", "/none/first", "/en/none", "/en/one/first/none", "/english", "/api/one", "/static/first"]
)
async def test_what_is_no_lesson_leads_nowhere(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


@pytest.mark.anyio
@pytest.mark.parametrize(("header", "home"), [("zh-CN", "/zh-Hans/"), ("en", "/en/"), ("fr", "/en/")])
async def test_the_root_sends_to_the_preferred_language(client: httpx.AsyncClient, header: str, home: str) -> None:
    answer = await client.get("/", headers={"accept-language": header})
    assert answer.is_redirect
    assert answer.headers["location"] == home
    assert "accept-language" in answer.headers["vary"].lower()


@pytest.mark.anyio
async def test_an_error_in_the_api_is_in_the_language_of_the_request(client: httpx.AsyncClient) -> None:
    english = (await client.get("/api/lessons/a/b", headers={"accept-language": "en"})).json()
    asked = (await client.get("/api/lessons/a/b?lang=zh-Hans", headers={"accept-language": "en"})).json()
    preferred = (await client.get("/api/lessons/a/b", headers={"accept-language": "zh"})).json()
    assert english["error"]["message"].isascii()
    assert asked == preferred != english


@pytest.mark.anyio
async def test_an_error_page_is_in_the_language_of_its_path(client: httpx.AsyncClient) -> None:
    answer = await client.get("/zh-Hans/one/none", headers={"accept-language": "en"})
    assert answer.status_code == 404
    assert '<html lang="zh-Hans"' in answer.text
