"""A web app with a fake runner and a small course, and a client for it."""

import gzip
import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from shutil import copy

import brotli
import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import BaseRoute

from app.classroom.store.engine import make_engine
from app.classroom.store.schema import schema
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS, Cell, CellPlace, Chapter, Course, Lesson, LessonText, Prose
from app.main import create_app
from app.protocol.run import Lang
from app.settings import PROJECT, Settings
from app.web.peers import Peers
from tests.web.fake_runner import FakeRunner

MakeApp = Callable[..., FastAPI]
INCLUDED: dict[int, BaseRoute] = {}  # by the id of the router
ASSET = b"content " * 100
SCRIPTS = (
    "home.js",
    "map.js",
    "mine.js",
    "lesson.js",
    "playground.js",
    "pitfall.js",
    "card.js",
    "account.js",
    "board.js",
    "projector.js",
    "teaching.js",
    "joining.js",
    "in-class.js",
    "plain.js",
)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def catalogue() -> Catalogue:
    """Return one chapter with one lesson, which has three cells: `use` continues `make` and `fail`, which raises."""
    cells = (
        Cell(id="make", filename="make.py", source="a = 1\n", line=1),
        Cell(id="fail", filename="fail.py", source="b = 1 / 0\n", line=2, raises="ZeroDivisionError"),
        Cell(id="use", filename="use.py", source="a + 1\n", line=3, after=("make", "fail"), asks={"deadline_seconds": 42}),
    )
    texts = {lang: make_text(lang) for lang in LANGS}
    lesson = Lesson(id="first", chapter_id="one", minutes=5, runtime="torch", cells=cells, texts=texts)
    return Catalogue(Course((Chapter(id="one", number=1, title={"en": "One", "zh-Hans": "一"}, lessons=(lesson,)),)))


def make_text(lang: Lang) -> LessonText:
    title = {"en": "First", "zh-Hans": "第一课"}[lang]
    blocks = (Prose("<p>Look:</p>"), CellPlace("make"), CellPlace("fail"), CellPlace("use"))
    return LessonText(title=title, title_html=title, lede_html=f"{title}.", summary=f"{title}.", blocks=blocks)


@pytest.fixture(scope="session")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of assets for all tests, which only read them."""
    return make_assets(tmp_path_factory.mktemp("assets") / "build")


@pytest.fixture(scope="session")
def usual_settings(assets: Path) -> Settings:
    """Return settings that are only to be copied, because finding all settings takes as long as a request."""
    return Settings(static_folder=assets)


@pytest.fixture(scope="session")
def new_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite database as it is made new, to be copied: making one takes as long as a test."""
    file = tmp_path_factory.mktemp("store") / "classroom.sqlite3"
    engine = make_engine(f"sqlite:///{file}", writes=True)
    schema.prepare(engine)
    engine.dispose()
    return file


@pytest.fixture
def settings(request: pytest.FixtureRequest, tmp_path: Path, usual_settings: Settings, new_store: Path) -> Settings:
    """Return settings with the database of `database_url`, if the test uses this fixture, which runs it with SQLite and with PostgreSQL."""
    url = request.getfixturevalue("database_url") if "database_url" in request.fixturenames else None
    changes = {"database_url": url} if url and url.startswith("postgresql") else {}  # SQLite is where it is without a setting
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    copy(new_store, state)
    return usual_settings.model_copy(update={"state_folder": state, **changes})


def make_assets(folder: Path) -> Path:
    """Make assets with the names that the templates use, and little content."""
    templates = "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "templates").rglob("*.html"))
    names = {*re.findall(r"address\('([^']+)'\)", templates), *SCRIPTS}
    manifest = {name: name.replace(".", "-ABCD2345.", 1) for name in names}
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "pages.json").write_text(json.dumps({"imports": {}, "messages": {}}))
    for hashed in manifest.values():
        (folder / hashed).write_bytes(ASSET)
        (folder / f"{hashed}.br").write_bytes(brotli.compress(ASSET))
        (folder / f"{hashed}.gz").write_bytes(gzip.compress(ASSET))
    return folder


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner()


@pytest.fixture
def make_app(settings: Settings, runner: FakeRunner, catalogue: Catalogue) -> MakeApp:
    """Return a function that makes the app, with other settings if they are given."""

    def make(runner: FakeRunner = runner, catalogue: Catalogue = catalogue, peers: Peers | None = None, **changes: object) -> FastAPI:
        return share_routes(create_app(settings.model_copy(update=changes), runner, catalogue, peers=peers))

    return make


def share_routes(app: FastAPI) -> FastAPI:
    """Share the routes of all apps, and return the app.

    FastAPI would compute for each app what every route takes and answers, which takes as long as a test.
    """
    for index, route in enumerate(app.router.routes):
        if router := getattr(route, "original_router", None):
            app.router.routes[index] = INCLUDED.setdefault(id(router), route)
    return app


def client_of(app: FastAPI, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """Return a client that sends requests to the app from `address`, without a network."""
    transport = httpx.ASGITransport(app, client=(address, 5000), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://localhost")


@pytest.fixture
async def client(make_app: MakeApp) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(make_app()) as client:
        yield client
