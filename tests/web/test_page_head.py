"""What the head of a page says to those who have not opened it: search engines, and programs that show links."""

import json
import re
from html import unescape
from pathlib import Path

import httpx
import msgspec
import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Course
from tests.web.conftest import MakeApp, client_of, make_assets

pytestmark = pytest.mark.anyio
PAGES = (
    "",
    "map",
    "playground",
    "reference",
    "glossary",
    "what-works",
    "pitfalls",
    "pitfalls/accumulation-lost",
    "one",
    "one/first",
    "mine",
)


def metas(text: str) -> dict[str, str]:
    """The contents of the head's meta elements, by name or property."""
    return {name: unescape(content) for name, content in re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', text)}


def links(text: str) -> list[tuple[str, str]]:
    """The canonical address, and those of the languages."""
    found = re.findall(r'<link rel="(canonical|alternate)"(?: hreflang="([^"]+)")? href="([^"]+)">', text)
    return [(lang or kind, address) for kind, lang, address in found]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
async def test_a_page_says_where_it_is_in_each_language(client: httpx.AsyncClient, lang: str, path: str) -> None:
    assert links((await client.get(f"/{lang}/{path}?path=x&q=y")).text) == [
        ("canonical", f"http://localhost/{lang}/{path}"),
        ("en", f"http://localhost/en/{path}"),
        ("zh-Hans", f"http://localhost/zh-Hans/{path}"),
        ("x-default", f"http://localhost/{path}"),
    ]


async def test_pages_have_titles_and_descriptions_of_their_own(client: httpx.AsyncClient) -> None:
    texts = [(await client.get(f"/{lang}/{path}")).text for lang in ("en", "zh-Hans") for path in PAGES]
    titles = [re.findall("<title>(.+)</title>", text)[0] for text in texts]
    assert len(set(titles)) == len(texts)
    assert len({metas(text)["description"] for text in texts}) == len(texts)
    assert [metas(text)["og:description"] for text in texts] == [metas(text)["description"] for text in texts]


async def test_the_title_of_a_lesson_has_the_word_under_which_people_look_for_it(make_app: MakeApp, catalogue: Catalogue) -> None:
    (chapter,) = catalogue.course.chapters
    terms = [{"en": "`retain_graph`", "zh-Hans": "`retain_graph` 参数"}, {"en": "first", "zh-Hans": "第一"}]
    lessons = tuple(msgspec.structs.replace(chapter.lessons[0], id=f"n{index}", term=term) for index, term in enumerate(terms))
    client = client_of(make_app(catalogue=Catalogue(Course((msgspec.structs.replace(chapter, lessons=lessons),)))))
    assert "<title>First · retain_graph · Gradroom</title>" in (await client.get("/en/one/n0")).text
    text = (await client.get("/zh-Hans/one/n0")).text
    assert "<title>第一课 · retain_graph 参数 · Gradroom</title>" in text
    assert metas(text)["og:title"] == "第一课 · retain_graph 参数"
    assert "<title>First · Gradroom</title>" in (await client.get("/en/one/n1")).text


@pytest.mark.parametrize(
    ("path", "noindex"), [("mine", True), ("search?q=leaf", True), ("pitfalls", False), ("one/first?path=x", False), ("", False)]
)
async def test_what_is_a_learners_own_and_what_was_searched_for_is_not_listed(client: httpx.AsyncClient, path: str, noindex: bool) -> None:
    text = (await client.get(f"/en/{path}")).text
    assert (metas(text).get("robots") == "noindex") is noindex
    assert links(text)[0] == ("canonical", f"http://localhost/en/{path.partition('?')[0]}")


async def test_the_switch_of_the_language_keeps_what_was_searched_for(client: httpx.AsyncClient) -> None:
    assert '<a href="/zh-Hans/search?q=leaf" lang="zh-Hans"' in (await client.get("/en/search?q=leaf")).text


@pytest.mark.parametrize("path", ["en/none", "api/docs"])
async def test_a_page_without_an_address_in_each_language_names_none(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(f"/{path}", headers={"accept": "text/html"})
    assert "<title>" in answer.text
    assert links(answer.text) == []
    assert "og:url" not in metas(answer.text)


async def test_a_link_shows_the_picture_of_its_page_and_others_that_of_the_site(make_app: MakeApp, tmp_path: Path) -> None:
    folder = make_assets(tmp_path / "build")
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"en/one/first.png": "en-one-first-ABCD2345.png"}))
    client = client_of(make_app(static_folder=folder))
    lesson, other = [metas((await client.get(path)).text) for path in ("/en/one/first", "/zh-Hans/one/first")]
    assert lesson["og:image"] == "http://localhost/static/en-one-first-ABCD2345.png"
    assert other["og:image"] == "http://localhost/static/link-ABCD2345.png"
    assert lesson["twitter:card"] == "summary_large_image"
    assert [lesson[f"og:image:{name}"] for name in ("width", "height", "alt")] == ["1200", "630", "First"]


@pytest.mark.parametrize(("sender", "scheme"), [("192.0.2.1", "https"), ("192.0.2.2", "http")])
async def test_behind_a_trusted_proxy_the_address_is_the_one_that_the_browser_asked_for(
    make_app: MakeApp, sender: str, scheme: str
) -> None:
    app = ProxyHeadersMiddleware(make_app(allowed_hosts=("learn.example",)), trusted_hosts=["192.0.2.1"])
    transport = httpx.ASGITransport(app, client=(sender, 5000))  # type: ignore[arg-type]  # uvicorn's types are its own
    client = httpx.AsyncClient(transport=transport, base_url="http://inside")
    headers = {
        "host": "Learn.Example:8443",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "198.51.100.7",
        "x-forwarded-host": "evil.example",
    }
    text = (await client.get("/en/one/first", headers=headers)).text
    assert {address for _, address in links(text)} >= {f"{scheme}://learn.example:8443/en/one/first"}
    assert "evil.example" not in text
    for file in "/sitemap.xml", "/robots.txt":
        assert f"{scheme}://learn.example:8443/" in (await client.get(file, headers=headers)).text


async def test_a_host_that_is_not_allowed_gets_into_no_address(client: httpx.AsyncClient) -> None:
    for path in "/en/one/first", "/sitemap.xml", "/robots.txt":
        answer = await client.get(path, headers={"host": "evil.example"})
        assert answer.status_code == 400
        assert "evil.example" not in answer.text
