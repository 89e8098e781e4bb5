"""Two processes write to one store at the same time: the end is as if their changes had been made one after another."""

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import create_engine, event
from sqlalchemy.pool import StaticPool

from app.classroom.store.database import Database
from app.classroom.store.schema import schema
from app.classroom.store.schema.tables import StoreTable
from tests.classroom.interleaved_changes import ChangeToMake, Made, draw_change, make_change, read_end
from tests.classroom.writing_process import WritingProcess

PAIRS = 15
CHANGES = int(os.environ.get("INTERLEAVED_CHANGES", "400"))  # 10,000 at night
AT_ONCE = 200  # changes that wait at most


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    made = Database(database_url)
    made.open()
    yield made
    made._engines.dispose()


@pytest.fixture
def writers(database: Database, database_url: str) -> Iterator[tuple[WritingProcess, WritingProcess]]:
    with WritingProcess(database_url) as first, WritingProcess(database_url) as second:
        yield first, second


def end_of_model(made: list[Made]) -> dict[str, list[str]]:
    """Make the changes one after another in memory, check that each has the same result, and return all rows."""
    model = create_engine("sqlite://", poolclass=StaticPool)
    event.listen(model, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys=ON") and None)
    with model.connect() as connection:
        schema.make_tables(connection)
        for one in sorted(made, key=lambda one: one.locked_ns):
            assert (one.change, make_change(connection, one.change).result) == (one.change, one.result)
        end = read_end(connection)
    model.dispose()
    return end


def test_changes_of_every_kind_by_two_processes_end_as_if_made_one_after_another(
    database: Database, writers: tuple[WritingProcess, WritingProcess]
) -> None:
    draw = random.Random(CHANGES)
    made: list[Made] = []
    for first in range(0, CHANGES, AT_ONCE):
        for number in range(first, min(first + AT_ONCE, CHANGES)):
            draw.choice(writers).put(draw_change(draw, number))
        for writer in writers:
            made += writer.take()
    assert database.read_here(read_end) == end_of_model(made)
    conflicts = [one for one in made if isinstance(one.result, tuple)]
    assert len(made) >= CHANGES and conflicts, "nothing came together"


def test_of_two_saves_from_one_version_at_once_one_is_stored_and_one_is_a_conflict(
    database: Database, writers: tuple[WritingProcess, WritingProcess]
) -> None:
    for pair in range(PAIRS):
        place = {"lesson": "one/first", "cell": f"c{pair}", "ran": False}
        writers[0].put(ChangeToMake(0, "save", "ada", {**place, "source": "the version of both"}))
        assert [one.result for one in writers[0].take()] == [1]
        writers[1].put(ChangeToMake(1, "save", "ada", {**place, "source": "in conflict"}))
        assert [one.result for one in writers[1].take()] == [("conflict", 1)]  # from now on both know version 1
        for number, writer in enumerate(writers):
            writer.put(ChangeToMake(number, "save", "ada", {**place, "source": f"by {number}"}))
        results = [one.result for writer in writers for one in writer.take()]
        assert sorted(results, key=repr) == [("conflict", 2), 2]


class TwoWriters(RuleBasedStateMachine):
    """Changes to one store by two processes, which begin before earlier ones have ended. `settle` waits for all and compares."""

    database: Database
    writers: tuple[WritingProcess, WritingProcess]

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Made] = []
        self.number, self.waiting = 0, 0

    @initialize()
    def empty(self) -> None:
        def delete_all(connection: Any) -> None:
            for table in reversed(StoreTable.metadata.sorted_tables):
                connection.execute(table.delete())

        self.database.enqueue(delete_all).result()

    @rule(seeds=st.lists(st.integers(0, 2**32), min_size=1, max_size=12), first=st.booleans())
    def put(self, seeds: list[int], first: bool) -> None:
        for seed in seeds:
            self.number += 1
            self.waiting += 1
            self.writers[(self.number + first) % 2].put(draw_change(random.Random(seed), self.number))

    @precondition(lambda self: self.waiting > 0)
    @rule()
    def settle(self) -> None:
        for writer in self.writers:
            self.made += writer.take()
        self.waiting = 0

    @invariant()
    def ends_as_the_model(self) -> None:
        if not self.waiting:
            assert self.database.read_here(read_end) == end_of_model(self.made)

    def teardown(self) -> None:
        if self.waiting:
            self.settle()
            self.ends_as_the_model()


def test_whatever_two_processes_do_the_end_is_that_of_the_model(database: Database, writers: tuple[WritingProcess, WritingProcess]) -> None:
    kind = type("TwoWritersOfOneStore", (TwoWriters,), {"database": database, "writers": writers})
    few = settings(
        max_examples=4,
        stateful_step_count=8,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # a smaller example would take minutes to find
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    run_state_machine_as_test(kind, settings=few)
