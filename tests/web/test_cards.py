"""Cards as a browser gets them. What they look like on paper is in tests/browser."""

import re

import httpx
import pytest

from app.lessons.model.model import LANGS
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.run import Lang
from tests.own_course import load_own_course
from tests.web.conftest import MakeApp, client_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def reader(make_app: MakeApp) -> httpx.AsyncClient:
    return client_of(make_app(catalogue=load_own_course()))


@pytest.mark.parametrize("lang", LANGS)
async def test_the_reference_leads_to_every_card(reader: httpx.AsyncClient, lang: Lang) -> None:
    urls = re.findall(rf'href="/{lang}/cards/([^"]+)"', (await reader.get(f"/{lang}/reference")).text)
    assert urls == ["contract", "ctx", "gradcheck", "messages", "frameworks"] == [*load_own_course().cards]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("card", ["contract", "ctx", "gradcheck", "messages", "frameworks"])
async def test_whatever_a_card_says_leads_to_where_it_is_from(reader: httpx.AsyncClient, card: str, lang: Lang) -> None:
    text = (await reader.get(f"/{lang}/cards/{card}")).text
    links = set(re.findall(r'href="(/[^"#]+)', text[text.index("<main") : text.index("</main>")]))
    assert len(links) > 4
    lessons = {f"/{lang}/{lesson.path}" for lesson in load_own_course().course.lessons}
    pitfalls = {f"/{lang}/pitfalls/{pitfall.code}" for pitfall in load_pitfalls().pitfalls.values() if pitfall.name}
    assert links - lessons - pitfalls == set()


async def test_a_message_stands_before_what_it_means_and_its_gaps_are_ellipses(reader: httpx.AsyncClient) -> None:
    text = (await reader.get("/en/cards/messages")).text
    assert "RuntimeError: function …Backward returned an incorrect number of gradients (expected …, got …)</code>" in text
    assert "<dd>The number of gradients that backward returns is …; the number of forward’s arguments after ctx is … Each" in text


@pytest.mark.parametrize("path", ["/en/cards/none", "/en/cards", "/en/cards/..%2fglossary"])
async def test_there_is_no_other_card(reader: httpx.AsyncClient, path: str) -> None:
    assert (await reader.get(path)).status_code == 404
