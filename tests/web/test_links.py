"""The links of the whole course: each leads to a page that there is, and each anchor to a part of that page."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

import pytest

from app.lessons.model.model import LANGS
from app.web.pages.sitemap import list_paths
from tests.own_course import load_own_course
from tests.web.conftest import MakeApp, client_of

pytestmark = pytest.mark.anyio
ANCHOR = re.compile(r'<a\b[^>]*?\shref="([^"]*)"')
NAME = re.compile(r'\sid="([^"]+)"')


class Leads(NamedTuple):
    """The addresses to which a page links, with their anchors, and the anchors that it has itself."""

    to: set[str]
    here: set[str]


async def test_every_link_and_every_anchor_leads_somewhere(make_app: MakeApp) -> None:
    catalogue = load_own_course()
    pages: dict[str, Leads] = {}
    async with client_of(make_app(catalogue=catalogue)) as client:
        for address in (f"/{lang}/{path}" for path in list_paths(catalogue) for lang in LANGS):
            text = (await client.get(address)).text
            pages[address] = Leads({unescape(to) for to in ANCHOR.findall(text)}, set(NAME.findall(text)))
        beyond = {to.partition("#")[0] for leads in pages.values() for to in leads.to if to.startswith("/")} - pages.keys()
        missing = [to for to in sorted(beyond) if (await client.get(to)).status_code != 200]
    assert missing == []
    assert any("#section-" in to for leads in pages.values() for to in leads.to)
    assert list(find_lost_anchors(pages)) == []


def find_lost_anchors(pages: dict[str, Leads]) -> Iterator[tuple[str, str]]:
    for page, leads in pages.items():
        for to in sorted(leads.to):
            path, _, anchor = to.partition("#")
            target = pages.get(path or page)
            if anchor and target and anchor not in target.here:
                yield page, to
