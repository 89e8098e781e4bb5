"""How wrong sign-ins are slowed, and that nobody is locked out by others."""

import asyncio
from types import SimpleNamespace

import pytest
from sqlalchemy import Connection, func, select

from app.classroom.classes.class_faults import CodeTooEarly, WrongCode
from app.classroom.people.wrong_sign_ins import (
    ADDRESS,
    CODES,
    NAME,
    Sources,
    begin_try,
    count_wrong_code,
    end_right,
    read_code_wait,
    read_wait,
    sources_of,
)
from app.classroom.store.database import Database
from app.classroom.store.schema.tables import WrongSignInRow
from app.classroom.store.times import DAY_MS
from app.web.pages.joining.codes import with_code

NOW = 1_800_000_000_000
HOME, SCHOOL = "203.0.113.7", "198.51.100.1"


def guess(connection: Connection, sources: Sources, until_ms: int, now_ms: int = NOW) -> int:
    """Try wrong passwords until a time, as often as is allowed. Return how often that is."""
    tries = 0
    while now_ms < until_ms:
        begun = begin_try(connection, sources, now_ms)
        tries += not begun.wait_ms
        now_ms += begun.wait_ms
    return tries


def test_some_tries_are_free_and_then_each_waits_twice_as_long(connection: Connection) -> None:
    sources = sources_of("ada", HOME)
    assert [begin_try(connection, sources, NOW).wait_ms for _ in range(NAME.free)] == [0] * NAME.free
    waits = []
    now = NOW
    for _ in range(12):
        waits.append(begin_try(connection, sources, now).wait_ms)
        now += waits[-1]
        assert begin_try(connection, sources, now).wait_ms == 0
    assert waits == [1000 * 2**number for number in range(10)] + [NAME.most_ms] * 2


def test_a_day_of_guessing_at_one_name_is_about_a_hundred_tries(connection: Connection) -> None:
    assert 90 < guess(connection, sources_of("ada", HOME), NOW + DAY_MS) < 120


def test_an_hour_of_guessing_at_all_names_is_about_a_hundred_tries(connection: Connection) -> None:
    now, tries = NOW, 0
    while now < NOW + DAY_MS // 24:
        begun = begin_try(connection, sources_of(f"name {tries}", HOME), now)
        tries += not begun.wait_ms
        now += begun.wait_ms
    assert 100 < tries < 120


def test_who_tries_too_early_waits_no_longer_for_it(connection: Connection) -> None:
    sources = sources_of("ada", HOME)
    for _ in range(NAME.free):
        begin_try(connection, sources, NOW)
    assert {begin_try(connection, sources, NOW).wait_ms for _ in range(100)} == {NAME.first_ms}
    assert begin_try(connection, sources, NOW + NAME.first_ms).wait_ms == 0


def test_to_look_how_long_a_try_must_wait_counts_nothing(connection: Connection) -> None:
    sources = sources_of("ada", HOME)
    assert [read_wait(connection, sources, NOW) for _ in range(NAME.free + 1)] == [0] * (NAME.free + 1)
    for _ in range(NAME.free):
        begin_try(connection, sources, NOW)
    assert [read_wait(connection, sources, NOW + later) for later in (0, 400, 1000, 5000)] == [1000, 600, 0, 0]


def test_refused_tries_store_nothing(connection: Connection) -> None:
    for number in range(ADDRESS.free + 100):
        begin_try(connection, sources_of(f"name {number}", HOME), NOW)
    assert connection.execute(select(func.count()).select_from(WrongSignInRow)).scalar() == ADDRESS.free + 1


@pytest.mark.anyio
async def test_of_many_tries_at_once_in_two_processes_only_the_free_ones_are_admitted(database_url: str) -> None:
    stores = [Database(database_url) for _ in range(2)]
    sources = sources_of("ada", HOME)
    tries = await asyncio.gather(*(store.write(begin_try, sources, NOW) for _ in range(20) for store in stores))
    assert sorted(one.count for one in tries if not one.wait_ms) == [1, 2, 3, 4, 5]
    for store in stores:
        await store.close()


def test_somebody_elsewhere_locks_nobody_out(connection: Connection) -> None:
    guess(connection, sources_of("ada", SCHOOL), NOW + DAY_MS)
    assert begin_try(connection, sources_of("ada", HOME), NOW + DAY_MS).wait_ms == 0


def test_pupils_at_the_same_address_do_not_lock_a_known_browser_out(connection: Connection) -> None:
    for number in range(ADDRESS.free * 2):
        begin_try(connection, sources_of(f"name {number}", SCHOOL), NOW)
    guess(connection, sources_of("ada", SCHOOL), NOW + DAY_MS)
    assert begin_try(connection, sources_of("ada", SCHOOL), NOW + DAY_MS).wait_ms > 0
    known = sources_of("ada", SCHOOL, "browser")
    assert begin_try(connection, known, NOW + DAY_MS).wait_ms == 0
    assert guess(connection, known, NOW + 2 * DAY_MS, NOW + DAY_MS) < 120  # whoever has that browser is slowed, too


def test_a_right_try_forgets_the_wrong_ones_before_it_for_the_name_alone(connection: Connection) -> None:
    sources = sources_of("ada", HOME)
    for _ in range(3):
        begin_try(connection, sources, NOW)
    end_right(connection, sources)
    stored = {
        row.source.split()[0]: row.tries for row in connection.execute(select(WrongSignInRow.source, WrongSignInRow.count.label("tries")))
    }
    assert stored == {"address": 2}


def test_wrong_tries_are_forgotten_after_a_day(connection: Connection) -> None:
    for _ in range(NAME.free):
        begin_try(connection, sources_of("ada", HOME), NOW)
    assert begin_try(connection, sources_of("ada", HOME), NOW + DAY_MS).count == 1


def test_a_password_typed_in_place_of_the_name_is_not_stored(connection: Connection) -> None:
    begin_try(connection, sources_of("correct horse battery", HOME), NOW)
    assert not [row for row in connection.execute(select(WrongSignInRow.source)).scalars() if "horse" in row]


@pytest.mark.anyio
async def test_wrong_codes_of_a_school_wait_only_after_many_and_right_ones_never_count(database: Database) -> None:
    async def try_code(right: bool, address: str = SCHOOL) -> bool:
        """Try a right or a wrong code, and return whether it was looked up."""

        async def find() -> None:
            if not right:
                raise WrongCode

        state = SimpleNamespace(principal=SimpleNamespace(address=address))
        app = SimpleNamespace(state=SimpleNamespace(services=SimpleNamespace(database=database)))
        try:
            await with_code(SimpleNamespace(app=app, state=state), find)  # type: ignore[arg-type]
        except CodeTooEarly as fault:
            return not 1 <= fault.seconds <= 60
        except WrongCode:
            pass
        return True

    assert all([await try_code(True) for _ in range(CODES.free + 1)])
    assert all([await try_code(False) for _ in range(CODES.free)])
    assert [await try_code(right) for right in (False, True)] == [False, False]
    assert await try_code(False, HOME)
    await database.close()


def test_an_hour_of_guessing_codes_is_few_tries(connection: Connection) -> None:
    now, tries = NOW, 0
    while now < NOW + DAY_MS // 24:
        wait_ms = 1000 * read_code_wait(connection, SCHOOL, now)
        now += wait_ms
        tries += 1
        count_wrong_code(connection, SCHOOL, now)
    assert CODES.free < tries < CODES.free + 70
