"""One database file for the tests of a module; what a test writes is undone after it."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, Engine

from app.classroom import schema
from app.classroom.engine import make_engine


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
