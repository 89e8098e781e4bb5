"""A database for each test, and one file with tables for the tests of a module, whose changes are undone after each test."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, Engine

from app.classroom.store.database import Database
from app.classroom.store.engine import make_engine
from app.classroom.store.schema import schema
from tests.postgresql import KINDS, url_of_kind


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def database(database_url: str) -> Database:
    return Database(database_url)


@pytest.fixture(scope="module", params=KINDS)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = make_engine(url_of_kind(request, tmp_path_factory.mktemp("store")), writes=True)
    schema.prepare(made)
    yield made
    made.dispose()


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as open_connection:
        yield open_connection
        open_connection.rollback()
