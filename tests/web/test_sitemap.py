"""The files for search engines: every public page is in the sitemap, and robots leave a learner's own pages alone."""

import re
from collections.abc import Iterator
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import httpx
import pytest
from fastapi import FastAPI

from tests.web.conftest import MakeApp

pytestmark = pytest.mark.anyio
NAMES = {"": "http://www.sitemaps.org/schemas/sitemap/0.9", "xhtml": "http://www.w3.org/1999/xhtml"}
NOT_PUBLIC = {
    "/en/mine", "/en/search", "/en/sign-in", "/en/account", "/en/operator", "/en/join", "/en/resume", "/en/handed-on", "/en/teach",
}  # fmt: skip


async def entries(client: httpx.AsyncClient) -> dict[str, dict[str, str]]:
    """The addresses of the sitemap, each with its addresses by language."""
    answer = await client.get("/sitemap.xml")
    assert answer.headers["content-type"].startswith("application/xml")
    found = {}
    for entry in ElementTree.fromstring(answer.text).iterfind("url", NAMES):
        alternates = {link.attrib["hreflang"]: link.attrib["href"] for link in entry.iterfind("xhtml:link", NAMES)}
        found[entry.findtext("loc", "", NAMES)] = alternates
    return found


async def test_every_address_of_the_sitemap_answers_and_says_the_same_of_itself(client: httpx.AsyncClient) -> None:
    listed = await entries(client)
    assert {"http://localhost/en/", "http://localhost/zh-Hans/one/first", "http://localhost/en/pitfalls"} <= listed.keys()
    for address, alternates in listed.items():
        answer = await client.get(address)
        assert answer.status_code == 200
        assert "noindex" not in answer.text
        said = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">', answer.text))
        assert said == alternates
        assert f'<link rel="canonical" href="{address}">' in answer.text


@pytest.mark.parametrize("path", ["", "map", "one/first", "pitfalls/accumulation-lost"])
async def test_the_address_without_a_language_leads_to_the_one_of_the_browser(client: httpx.AsyncClient, path: str) -> None:
    alternates = (await entries(client))[f"http://localhost/en/{path}"]
    for lang in "en", "zh-Hans":
        answer = await client.get(alternates["x-default"], headers={"accept-language": lang})
        assert answer.headers["location"] == f"/{lang}/{path}"


async def test_every_page_without_a_part_that_varies_is_in_the_sitemap_or_not_public(client: httpx.AsyncClient, make_app: MakeApp) -> None:
    listed = {address.removeprefix("http://localhost") for address in await entries(client)}
    assert {path for path in page_paths(make_app()) if "{" not in path} <= listed | NOT_PUBLIC


def page_paths(app: FastAPI) -> Iterator[str]:
    for route in app.router.routes:
        for page in getattr(route, "original_router", app.router).routes:
            if getattr(page, "path", "").startswith("/en/") and "GET" in page.methods:
                yield page.path


async def test_robots_read_pages_but_neither_the_api_nor_what_is_a_learners_own(client: httpx.AsyncClient) -> None:
    answer = await client.get("/robots.txt")
    rules = RobotFileParser()
    rules.parse(answer.text.splitlines())
    assert rules.site_maps() == ["http://localhost/sitemap.xml"]
    closed = ["/api/lessons", "/en/mine", "/zh-Hans/mine", "/mine", "/en/search?q=leaf", "/zh-Hans/search"]
    assert [path for path in closed if rules.can_fetch("robot", path)] == []
    assert [address for address in await entries(client) if not rules.can_fetch("robot", address)] == []


@pytest.mark.parametrize("path", ["/sitemap.xml", "/robots.txt"])
async def test_the_files_are_the_same_for_everybody_and_bring_no_cookie(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert "set-cookie" not in answer.headers
    assert (await client.head(path)).status_code == 200
