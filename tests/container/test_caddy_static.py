"""Caddy itself in front of web, on loopback: who answers what under /static, and which address web gets as the client's."""

import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from app.main import create_app
from app.settings import Settings
from tests.browser.site import serving
from tests.container.conftest import CADDYFILE
from tests.patience import wait_for
from tests.web.conftest import ASSET, make_assets
from tests.web.fake_runner import FakeRunner

STYLE = "/static/page-ABCD2345.css"
FONT = "/static/letters-ABCD2345.woff2"
NEWER, OLDER = "/static/newer-ABCD2345.js", "/static/older-ABCD2345.js"  # which only web has, or only Caddy
DRAFT = "/static/.page-ABCD2345.css"
TRANSPORT = {"date", "server", "connection", "transfer-encoding", "content-length", "accept-ranges"}
VALIDATORS = {"etag", "last-modified"}
ENCODINGS = ["identity", "gzip", "br", "gzip, deflate, br, zstd", "br;q=0, gzip"]


class Recorder:
    """Records the path and X-Forwarded-For of each request that reaches web."""

    def __init__(self, app: ASGIApp, asked: list[tuple[str, str]]) -> None:
        self.app, self._asked = app, asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self._asked.append((scope["path"], dict(scope["headers"]).get(b"x-forwarded-for", b"").decode()))
        await self.app(scope, receive, send)


@dataclass(frozen=True)
class Sites:
    """Clients of web itself, of Caddy with a folder of files, and of Caddy without one; `asked`: what reached web."""

    web: httpx.Client
    caddy: httpx.Client
    passing: httpx.Client
    asked: list[tuple[str, str]]


@pytest.fixture(scope="module")
def sites(caddy: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    folder = tmp_path_factory.mktemp("sites")
    files = make_assets(folder / "build")
    (files / FONT.rpartition("/")[2]).write_bytes(ASSET)
    older = Path(shutil.copytree(files, folder / "older"))
    (files / NEWER.rpartition("/")[2]).write_bytes(b"newer")
    (older / OLDER.rpartition("/")[2]).write_bytes(b"older")
    (older / DRAFT.rpartition("/")[2]).write_bytes(b"half")
    asked: list[tuple[str, str]] = []
    app = create_app(Settings(state_folder=folder / "state", static_folder=files), FakeRunner())
    app.add_middleware(Recorder, asked=asked)
    with ExitStack() as stack:
        address = stack.enter_context(serving(app))
        yield Sites(
            stack.enter_context(httpx.Client(base_url=address)),
            stack.enter_context(started(caddy, folder / "caddy", address, CLASS_STATIC=str(older))),
            stack.enter_context(started(caddy, folder / "passing", address)),
            asked,
        )


@contextmanager
def started(caddy: str, folder: Path, upstream: str, **environment: str) -> Iterator[httpx.Client]:
    """A client of Caddy as docs/caddy/Caddyfile has it, on two free ports, with an authority of its own in `folder`."""
    folder.mkdir()
    ports = {"CLASS_HTTP_PORT": find_port(), "CLASS_HTTPS_PORT": find_port()}
    places = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "CLASS_UPSTREAM": upstream.removeprefix("http://")}
    command = (caddy, "run", "--adapter", "caddyfile", "--config", str(CADDYFILE))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log, env=os.environ | ports | places | environment)
    try:
        authority = folder / "caddy/pki/authorities/local/root.crt"
        wait_for(lambda: authority.exists() and listens(int(ports["CLASS_HTTPS_PORT"])))
        trust = ssl.create_default_context(cafile=authority)
        with httpx.Client(base_url=f"https://localhost:{ports['CLASS_HTTPS_PORT']}", verify=trust) as client:
            yield client
    finally:
        process.terminate()
        process.wait()


def find_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def file_headers(answer: httpx.Response, without: set[str]) -> dict[str, str]:
    """Return the headers that describe the file, without quotes around a charset and without repeated words."""
    headers = {name: value.replace('"', "") for name, value in answer.headers.items() if name not in TRANSPORT | without}
    if "vary" in headers:
        headers["vary"] = ", ".join({word.strip().lower() for word in headers["vary"].split(",")})
    return headers


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_caddy_sends_a_built_file_as_web_does_and_web_is_not_asked(sites: Sites, method: str, encoding: str) -> None:
    headers = {"accept-encoding": encoding}
    by_web = sites.web.request(method, STYLE, headers=headers)
    sites.asked.clear()
    by_caddy = sites.caddy.request(method, STYLE, headers=headers)
    assert sites.asked == []
    assert by_caddy.status_code == by_web.status_code == 200
    assert by_caddy.content == by_web.content == (ASSET if method == "GET" else b"")
    assert file_headers(by_caddy, VALIDATORS) == file_headers(by_web, VALIDATORS)
    assert by_caddy.headers["etag"]


def test_a_font_has_its_type(sites: Sites) -> None:
    by_web, by_caddy = (client.get(FONT) for client in (sites.web, sites.caddy))
    assert file_headers(by_caddy, {*VALIDATORS, "vary"}) == file_headers(by_web, VALIDATORS)
    assert by_caddy.headers["content-type"] == "font/woff2"


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
def test_a_file_that_the_browser_has_is_not_sent_again(sites: Sites, encoding: str) -> None:
    first = sites.caddy.get(STYLE, headers={"accept-encoding": encoding})
    for condition in ({"if-none-match": first.headers["etag"]}, {"if-modified-since": first.headers["last-modified"]}):
        answer = sites.caddy.get(STYLE, headers={"accept-encoding": encoding, **condition})
        assert (answer.status_code, answer.content) == (304, b"")
        assert "immutable" in answer.headers["cache-control"]
    assert sites.caddy.get(STYLE, headers={"accept-encoding": encoding, "if-none-match": '"other"'}).status_code == 200


def test_a_part_of_a_file_is_sent(sites: Sites) -> None:
    answer = sites.caddy.get(STYLE, headers={"accept-encoding": "identity", "range": "bytes=0-6"})
    assert (answer.status_code, answer.content) == (206, ASSET[:7])


@pytest.mark.parametrize("path", [STYLE, OLDER])
def test_pages_of_another_build_find_what_either_has(sites: Sites, path: str) -> None:
    assert sites.caddy.get(path).status_code == 200
    assert sites.caddy.get(NEWER).text == sites.web.get(NEWER).text == "newer"


@pytest.mark.parametrize(
    "path",
    [
        *("/static/none.js", "/static/none-ABCD2345.js", "/static/", "/static/manifest.json", DRAFT),
        *(f"{STYLE}{end}" for end in (".br", ".gz", "/", "%00", "%2f")),
        *("/static/..%2fstate%2fcookie_secret", "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/static/..%5cpage-ABCD2345.css"),
        *("/static/%2A-ABCD2345.css", "/static/%7Bpath%7D-ABCD2345.css", f"/static/..%2fbuild%2f{STYLE[8:]}"),
    ],
)
def test_web_answers_for_all_else(sites: Sites, path: str) -> None:
    by_web = sites.web.get(path)
    sites.asked.clear()
    by_caddy = sites.caddy.get(path)
    assert len(sites.asked) == 1
    assert (by_caddy.status_code, by_caddy.content) == (by_web.status_code, by_web.content)
    assert file_headers(by_caddy, {"content-security-policy"}) == file_headers(by_web, {"content-security-policy"})


def test_a_request_that_is_no_reading_goes_to_web(sites: Sites) -> None:
    assert sites.caddy.post(STYLE).status_code == sites.web.post(STYLE).status_code == 405


def test_caddy_without_a_folder_passes_everything_on(sites: Sites) -> None:
    sites.asked.clear()
    assert sites.passing.get(STYLE).content == ASSET
    assert [path for path, _ in sites.asked] == [STYLE]


@pytest.mark.parametrize("site", ["caddy", "passing"])
def test_web_gets_the_address_that_caddy_saw(sites: Sites, site: str) -> None:
    sites.asked.clear()
    client: httpx.Client = getattr(sites, site)
    client.get("/en/", headers={"x-forwarded-for": "203.0.113.9", "forwarded": "for=203.0.113.9"})
    assert sites.asked == [("/en/", "127.0.0.1")]
