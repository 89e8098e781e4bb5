"""Which requests are answered, and the headers of every answer."""

import re

import httpx
import pytest

from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import FakeRunner

pytestmark = pytest.mark.anyio
RUN = {"source": "x"}
PATHS = [
    "/",
    "/en/",
    "/en/one/first",
    "/en/none/here",
    "/api/lessons",
    "/api/none",
    "/healthz",
    "/static/none.js",
]


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "LOCALHOST:1", "127.0.0.1:8000", "[::1]:8000", "[::1]"])
async def test_allowed_hosts_are_answered(client: httpx.AsyncClient, host: str) -> None:
    assert (await client.get("/healthz", headers={"host": host})).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "evil.example:8000", "", "localhost@evil.example", "10.1.2.3"])
async def test_other_hosts_are_refused_in_plain_text(client: httpx.AsyncClient, runner: FakeRunner, host: str) -> None:
    answer = await client.post("/api/runs", json=RUN, headers={"host": host})
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert runner.orders == []


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("Room.Example:8000", "room.example"),
        ("10.1.2.3", "10.1.2.3"),
        ("[2001:db8::1]:80", "[2001:db8::1]"),
        ("<script>alert(1)</script>", "NAME"),
        ("a b", "NAME"),
        ('x"onload="', "NAME"),
        ("", "NAME"),
        ("x" * 300, "NAME"),
    ],
)
async def test_a_person_whose_name_for_the_server_is_not_allowed_reads_which_setting_to_change(
    client: httpx.AsyncClient, host: str, shown: str
) -> None:
    answer = await client.get("/en/<b>", headers={"host": host, "accept": "text/html,*/*", "accept-language": "<b>"})
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers
    assert f"GRADROOM_ALLOWED_HOSTS=…,{shown}</code>" in answer.text
    assert 'lang="zh-Hans"' in answer.text
    assert "运维" in answer.text
    assert not re.search("<script|<b>|onload|src=|href=", answer.text)
    found = re.search("'nonce-([^']+)'", answer.headers["content-security-policy"])
    assert found
    assert f'<style nonce="{found[1]}">' in answer.text


@pytest.mark.parametrize("path", ["/en", "/api/lessons/", "/", "/docs", "/en/one", "/one/first", "//evil.example/..//en"])
async def test_a_redirect_repeats_no_host(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(f"http://localhost{path}", headers={"host": "localhost:6666"})
    if answer.is_redirect:
        assert re.match("/(?!/)", answer.headers["location"])
    assert "6666" not in answer.headers.get("location", "")


async def test_the_operator_names_the_hosts(make_app: MakeApp) -> None:
    async with client_of(make_app(allowed_hosts=("learn.example",))) as client:
        assert (await client.get("/healthz", headers={"host": "learn.example"})).status_code == 200
        assert (await client.get("/healthz", headers={"host": "127.0.0.1"})).status_code == 400


@pytest.mark.parametrize("path", PATHS)
async def test_every_answer_has_the_security_headers(client: httpx.AsyncClient, path: str) -> None:
    headers = (await client.get(path)).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self' 'nonce-")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "referrer-policy" in headers
    if not path.startswith("/static/"):  # where these mean nothing
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]
    assert "access-control-allow-origin" not in headers


async def test_a_static_file_may_load_nothing_and_needs_no_nonce(client: httpx.AsyncClient) -> None:
    headers = (await client.get("/static/page-ABCD2345.css")).headers
    assert headers.get_list("content-security-policy") == ["default-src 'none'; frame-ancestors 'none'"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "permissions-policy" not in headers  # of documents only
    assert "access-control-allow-origin" not in headers


async def test_each_answer_has_a_nonce_of_its_own_and_the_page_uses_it(client: httpx.AsyncClient) -> None:
    nonces = set()
    for _ in range(2):
        answer = await client.get("/en/")
        found = re.search("'nonce-([^']+)'", answer.headers["content-security-policy"])
        assert found
        assert f'nonce="{found[1]}"' in answer.text
        nonces.add(found[1])
    assert len(nonces) == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:9999"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site", "origin": "http://localhost"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_other_sites_cannot_run_or_stop_anything(
    client: httpx.AsyncClient, runner: FakeRunner, headers: dict[str, str], method: str
) -> None:
    path = "/api/runs" if method == "POST" else "/api/runs/r1"
    answer = await client.request(method, path, json=RUN, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "other_origin"
    assert runner.orders == []
    assert runner.stopped == []


@pytest.mark.parametrize(
    "headers",
    [{}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}, {"origin": "http://localhost"}, {"origin": "https://localhost"}],
)
async def test_our_own_pages_and_scripts_can(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    assert (await client.post("/api/runs", json=RUN, headers=headers)).status_code == 200


async def test_other_sites_may_link_to_a_page(client: httpx.AsyncClient) -> None:
    assert (await client.get("/en/", headers={"sec-fetch-site": "cross-site"})).status_code == 200


async def test_a_preflight_of_another_site_gets_no_permission(client: httpx.AsyncClient) -> None:
    headers = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    answer = await client.options("/api/runs", headers=headers)
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]
