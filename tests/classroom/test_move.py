"""An SQLite database is moved to PostgreSQL: everything is there and the same, or nothing is."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from app.classroom.store.copies import move as move_module
from app.classroom.store.copies.move import TABLES, MoveError, move
from app.classroom.store.database import Database
from app.classroom.store.database_lock import DatabaseInUse, hold_database
from app.classroom.store.engine import make_engine
from app.classroom.store.schema import schema
from tests.classroom.store_rows import add_learner, add_work
from tests.classroom.test_migrating import fill_empty_tables, make_of_version
from tests.postgresql import PostgresServer

pytestmark = pytest.mark.anyio
TEXTS = ("", "plain", "“curly” 中文 🎓", "tab\tand\\N and\nlines\r\n", "\u2028'quoted'\"", "x" * 70_000)


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A database with a row in every table, and many in some."""
    url = f"sqlite:///{tmp_path}/classroom.sqlite3"
    database = Database(url)
    draw = random.Random(0)
    for number in range(60):
        text = draw.choice(TEXTS)
        learner = database.enqueue(add_learner(f"learner {number}", seen_ms=draw.randrange(2**42))).result()
        database.enqueue(add_work, learner, text, draw.randrange(20)).result()
    database._engines.dispose()
    fill_empty_tables(url)
    return url


@pytest.fixture
def target(postgres_server: PostgresServer) -> Iterator[str]:
    made = postgres_server.make_database(template="template0")
    yield made
    postgres_server.drop_database(made)


def read_all(url: str) -> dict[str, list[tuple[object, ...]]]:
    engine = make_engine(url, writes=False)
    with engine.connect() as connection:
        found = {table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr) for table in TABLES}
    engine.dispose()
    return found


async def test_all_rows_arrive_and_the_next_ones_get_the_next_numbers(source: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_module, "PIECE_ROWS", 50)
    before = read_all(source)
    assert all(before.values())
    told = {}
    rows = move(source, target, told.__setitem__)
    assert read_all(target) == before == read_all(source)
    assert told == {table: len(found) for table, found in before.items()} and rows == sum(told.values())
    database = Database(target)
    last = max(int(str(row[0])) for row in before["learner"])
    assert await database.write(add_learner("later", text="x")) == last + 1
    await database.close()


async def test_tables_that_are_there_and_empty_are_used_and_nothing_is_added_to_others(
    source: str, target: str, postgres_server: PostgresServer
) -> None:
    database = Database(target)
    database.open()
    await database.close()
    move(source, target)
    before = read_all(target)
    with pytest.raises(MoveError, match="is not empty: there is something in its table"):
        move(source, target)
    assert read_all(target) == before


def test_while_a_server_uses_it_it_is_not_moved(source: str, target: str) -> None:
    with hold_database(source, alone=False), pytest.raises(DatabaseInUse, match="stop that first"):
        move(source, target)


def test_another_version_is_not_moved(tmp_path: Path, source: str, target: str) -> None:
    older = f"sqlite:///{tmp_path}/older.sqlite3"
    make_of_version(older, schema.REVISIONS[0])
    with pytest.raises(MoveError, match=f"of version {schema.REVISIONS[0]}, and not {schema.HEAD}: run `gradroom migrate --backup`"):
        move(older, target)
    make_of_version(target, schema.REVISIONS[0])
    with pytest.raises(MoveError, match=f"of version {schema.REVISIONS[0]}, and not {schema.HEAD}"):
        move(source, target)


def change(source: str, statement: str) -> None:
    with closing(sqlite3.connect(source.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("update draft set source = 'a' || char(0) where rowid = 3", "PostgreSQL does not accept a row"),
        ("insert into done_cell values (77, 'one/first', 'cell', 1)", "belong to nobody"),
    ],
)
def test_what_postgresql_does_not_take_is_said_and_nothing_is_moved(source: str, target: str, statement: str, words: str) -> None:
    change(source, statement)
    with pytest.raises(MoveError, match=words):
        move(source, target)
    assert nothing_is_in(target)


async def test_rows_that_arrive_otherwise_are_noticed_and_nothing_is_moved(
    source: str, target: str, postgres_server: PostgresServer
) -> None:
    database = Database(target)
    database.open()
    await database.close()
    name = str(database.url.database)
    body = "BEGIN NEW.source = 'another text'; RETURN NEW; END"
    postgres_server.execute(f"CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$", name)
    postgres_server.execute("CREATE TRIGGER spoil BEFORE INSERT ON draft_version FOR EACH ROW EXECUTE FUNCTION spoil()", name)
    with pytest.raises(MoveError, match="The rows of draft_version have not arrived as they are"):
        move(source, target)
    assert not any(read_all(target).values())


def nothing_is_in(target: str) -> bool:
    engine = make_engine(target, writes=False)
    with engine.connect() as connection:
        revision = schema.read_revision(connection)
    engine.dispose()
    return revision is None


def test_only_sqlite_is_moved_and_only_to_postgresql(source: str, target: str, tmp_path: Path) -> None:
    for one, other in ((source, source), (target, target)):
        with pytest.raises(MoveError, match="Only an SQLite database"):
            move(one, other)
    with pytest.raises(MoveError, match="There is no database"):
        move(f"sqlite:///{tmp_path}/none.sqlite3", target)
