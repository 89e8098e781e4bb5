"""The built assets."""

from pathlib import Path

import httpx
import pytest

from app.settings import Settings
from app.web.http.static import is_hashed
from tests.web.conftest import ASSET, MakeApp, client_of, make_assets

pytestmark = pytest.mark.anyio


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings with assets that the test makes beside the state folder."""
    return Settings(state_folder=tmp_path / "state", static_folder=make_assets(tmp_path / "build"))


PATH = "/static/page-ABCD2345.css"


async def test_an_asset_with_a_hashed_name_is_kept_for_ever(client: httpx.AsyncClient) -> None:
    answer = await client.get(PATH)
    assert answer.content == ASSET
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(("accepted", "encoding"), [("gzip", "gzip"), ("br", "br"), ("gzip, deflate, br, zstd", "br"), ("identity", None)])
async def test_an_asset_is_sent_as_it_was_compressed_at_build(client: httpx.AsyncClient, accepted: str, encoding: str | None) -> None:
    answer = await client.get(PATH, headers={"accept-encoding": accepted})
    assert answer.headers.get("content-encoding") == encoding
    assert answer.content == ASSET
    assert "accept-encoding" in answer.headers["vary"].lower()


async def test_an_asset_that_the_browser_has_is_not_sent_again(client: httpx.AsyncClient) -> None:
    first = await client.get(PATH)
    answer = await client.get(PATH, headers={"if-none-match": first.headers["etag"]})
    assert answer.status_code == 304


@pytest.mark.parametrize("path", ["/static/none.js", "/static/../conftest.py", "/static/%2e%2e/state/cookie_secret", "/static/"])
async def test_nothing_else_is_served(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


@pytest.mark.parametrize(("name", "hashed"), [("page-ABCD2345.css", True), ("manifest.json", False), ("saving-outputs.js", False)])
def test_only_hashed_names_never_change(name: str, hashed: bool) -> None:
    assert is_hashed(name, f"/static/{name}") is hashed


async def test_a_new_build_is_served_without_a_restart(make_app: MakeApp, settings: Settings) -> None:
    folder = settings.static_folder
    async with client_of(make_app()) as client:
        assert (await client.get(PATH)).status_code == 200
        for file in folder.glob("page-*"):
            file.unlink()
        (folder / "page-WXYZ6789.css").write_text("new")
        assert (await client.get(PATH)).status_code == 404
        assert (await client.get("/static/page-WXYZ6789.css")).text == "new"


async def test_without_a_build_there_is_nothing(make_app: MakeApp, tmp_path: Path) -> None:
    async with client_of(make_app(static_folder=tmp_path / "none")) as client:
        assert (await client.get(PATH)).status_code == 404
