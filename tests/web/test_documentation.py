"""The page on which the API is read and tried."""

import re

import httpx
import pytest

pytestmark = pytest.mark.anyio


async def test_the_page_is_made_by_our_own_copy_of_swagger_ui(client: httpx.AsyncClient) -> None:
    page = (await client.get("/api/docs")).text
    loaded = re.findall(r'<(?:script|link rel="stylesheet")[^>]*?(?:src|href)="([^"]+)"', page)
    assert [name for name in loaded if "swagger-ui" in name]
    for address in loaded:
        assert address.startswith("/static/")
        assert (await client.get(address)).status_code == 200
    assert "/api/openapi.json" in page


async def test_every_script_of_the_page_has_its_nonce_and_nothing_has_a_style(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/docs")
    found = re.search("'nonce-([^']+)'", answer.headers["content-security-policy"])
    assert found
    for script in re.findall(r"<script[^>]*>", answer.text):
        assert f'nonce="{found[1]}"' in script or 'type="application/json"' in script
    assert not re.findall(r"<style|\sstyle=|\son\w+=", answer.text)


@pytest.mark.parametrize(("usual", "ours"), [("/docs", "/api/docs"), ("/openapi.json", "/api/openapi.json")])
async def test_the_usual_addresses_lead_there(client: httpx.AsyncClient, usual: str, ours: str) -> None:
    assert (await client.get(usual)).headers["location"] == ours
