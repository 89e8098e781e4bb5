"""A database for each test, and one file with tables for the tests of a module, whose changes are undone after each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine

from app.classroom.store import schema
from app.classroom.store.database import Database
from app.classroom.store.engine import make_engine


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(f"sqlite:///{tmp_path}/classroom.sqlite3")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = make_engine(f"sqlite:///{tmp_path_factory.mktemp('store')}/classroom.sqlite3", writes=True)
    schema.prepare(made)
    yield made
    made.dispose()


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as open_connection:
        yield open_connection
        open_connection.rollback()
