"""What one address may add, when several web processes share a PostgreSQL database."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest
from sqlalchemy import Connection, select, update

from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import AddressAtLimit, StoreAtLimit
from app.classroom.store.postgres import postgres_room
from app.classroom.store.postgres.address_additions import delete_full, take_bytes
from app.classroom.store.schema.tables import AddressAdditionRow
from app.protocol.limits import MEBIBYTE
from app.web.guards.additions import HOUR_SECONDS, Additions
from app.web.guards.address_leases import PIECES, AddressLeases
from app.web.guards.buckets import Rate
from tests.classroom.store_rows import add_learner, count_learners
from tests.postgresql import ONLY_POSTGRES
from tests.web.conftest import MakeApp, client_of
from tests.web.kept import DRAFTS

pytestmark = [pytest.mark.anyio, ONLY_POSTGRES, pytest.mark.usefixtures("database_url")]
CLASS = "10.1.1.1"
LIMIT = 1_000_000
RATE = Rate(LIMIT / HOUR_SECONDS, LIMIT)
TEXT = "x" * 1000


@pytest.fixture
def databases(database_url: str) -> Iterator[list[Database]]:
    """One database, as three web processes open it."""
    made = [Database(database_url) for _ in range(3)]
    made[0].open()
    yield made
    for one in made:
        one._engines.dispose()


def count_statements(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    calls: list[object] = []
    original = database.write_apart

    def write_apart(change: Callable[[Connection], float]) -> float:
        calls.append(change)
        return original(change)

    monkeypatch.setattr(database, "write_apart", write_apart)
    return calls


def test_several_processes_add_no_more_together_than_one_may(databases: list[Database], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_statements(databases[0], monkeypatch)
    leases = [AddressLeases(one, RATE) for one in databases]
    added, now = 0, 0.0
    open_ones = list(leases)
    while open_ones:
        for one in list(open_ones):
            if one.wait_seconds(CLASS, 1, now):
                open_ones.remove(one)
            else:
                one.take(CLASS, 500, now)
                added += 500
    assert LIMIT - LIMIT / PIECES < added <= LIMIT * 1.01 + 3 * 500  # and what has refilled meanwhile
    assert len(calls) < PIECES  # not one for each change
    assert not leases[0].wait_seconds("10.2.2.2", 1, now)
    wait = leases[1].wait_seconds(CLASS, LIMIT // 2, now)
    assert HOUR_SECONDS * 0.48 < wait < HOUR_SECONDS * 0.52


def pass_seconds(database: Database, seconds: float) -> None:
    """Let time pass, as the database sees it."""
    earlier = update(AddressAdditionRow).values(at_ms=AddressAdditionRow.at_ms - int(1000 * seconds))
    database.write_apart(lambda connection: connection.execute(earlier) and None)


def test_the_bucket_refills_and_an_address_that_was_refused_is_asked_for_again(databases: list[Database]) -> None:
    leases = AddressLeases(databases[0], RATE)
    leases.take(CLASS, LIMIT, 0)
    assert leases.wait_seconds(CLASS, LIMIT // 100, 0) > 0
    pass_seconds(databases[0], HOUR_SECONDS / 2)
    assert leases.wait_seconds(CLASS, LIMIT // 100, 0.5) > 0  # it does not ask each time
    assert leases.wait_seconds(CLASS, LIMIT // 4, 2) == 0
    leases.take(CLASS, LIMIT // 4, 2)
    assert leases.wait_seconds(CLASS, LIMIT // 2, 2) > HOUR_SECONDS / 5


def test_what_was_not_leased_is_taken_all_the_same_and_must_refill(databases: list[Database]) -> None:
    leases = AddressLeases(databases[0], RATE)
    leases.take(CLASS, LIMIT, 0)
    leases.take(CLASS, LIMIT, 0)
    assert 0.99 * HOUR_SECONDS < leases.wait_seconds(CLASS, 1, 0) < 1.01 * HOUR_SECONDS


def test_full_buckets_are_deleted(databases: list[Database]) -> None:
    per_second = LIMIT / HOUR_SECONDS
    for address in ("old", "new"):
        databases[0].write_apart(partial(take_bytes, address=address, taken=1000, most=LIMIT, per_second=per_second))
        if address == "old":
            pass_seconds(databases[0], 60)
    databases[0].write_apart(partial(delete_full, per_second=per_second))
    left = databases[0].read_here(lambda connection: connection.execute(select(AddressAdditionRow.address)).scalars().all())
    assert left == ["new"]


async def test_changes_are_charged_by_what_they_write(databases: list[Database]) -> None:
    additions, elsewhere = (Additions(one.room, LIMIT, partial(AddressLeases, one)) for one in databases[:2])
    stored = 0

    def add(connection: Connection) -> None:
        with additions.charge(CLASS, connection):
            add_learner(f"{stored}", text=TEXT, drafts=50)(connection)

    with suppress(AddressAtLimit):
        while stored < 100:
            await databases[0].write(add)
            stored += 1
    assert 6 <= stored <= 9  # some 130 KB each
    assert additions.refused == {"address_at_limit": 1} and additions.addresses == {CLASS}
    with pytest.raises(AddressAtLimit):
        await databases[1].write(lambda connection: elsewhere.reserve(CLASS, LIMIT // 4, connection))
    assert await databases[0].read(count_learners) == stored


async def test_the_size_of_the_database_is_asked_once_in_a_while_and_what_was_written_is_added(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(database_url, 10_000 * MEBIBYTE)
    room = database.room
    await database.write(lambda connection: room.admit(connection) and None)
    size = room.used_bytes
    assert 5 * MEBIBYTE < size < 500 * MEBIBYTE
    room.limit_bytes = size + 200_000
    stored = 0

    def add(connection: Connection) -> None:
        room.admit(connection)
        add_learner(f"{stored}", text=TEXT, drafts=5)(connection)

    with suppress(StoreAtLimit):
        while stored < 100:
            await database.write(add)
            stored += 1
    assert 5 < stored < 20
    assert room.at_limit
    monkeypatch.setattr(postgres_room, "ASKED_SECONDS", -1)
    room.limit_bytes = 2 * size
    await database.write(add)
    assert not room.at_limit
    await database.close()


async def test_at_a_limit_saves_are_refused_and_pages_and_deletions_go_on(make_app: MakeApp) -> None:
    app = make_app(added_bytes_per_address=MEBIBYTE)
    async with client_of(app) as client:
        for number in range(100):
            await client.get("/en/")
            answer = await client.put(f"{DRAFTS}/use", json={"source": f"{number}" * 20_000, "version": number})
            if answer.status_code != 200:
                break
        assert (answer.status_code, answer.json()["error"]["reason"]) == (503, "address_at_limit")
        assert (await client.get("/en/one/first")).status_code == 200
        assert (await client.delete("/api/me")).status_code == 204
