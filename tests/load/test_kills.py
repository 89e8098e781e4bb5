"""A short series of kills: what the server confirmed to learners is stored, whichever processes were killed."""

from dataclasses import replace

import pytest

from app.classroom.store.database import Database
from tests.classroom.classes.planted_class import plant_hand, plant_member
from tests.classroom.sample_archives import take
from tests.load.attacks.large_imports import make_zip
from tests.load.kill_board import ShownRow, find_disagreements
from tests.load.kill_class import HAND, JOINED, TRIES, find_untrue_members, open_class
from tests.load.kill_learners import Receipt, Told
from tests.load.kill_truth import find_untrue
from tests.load.kills import kill_and_look


@pytest.mark.nightly
@pytest.mark.timeout(300)
def test_no_receipt_is_false_nothing_counts_twice_and_no_saved_draft_is_lost_when_processes_are_killed() -> None:
    report, told, untrue = kill_and_look(submissions=8, learners=4, seed=12)
    assert untrue == []
    assert report["different_receipts_for_one_key"] == 0
    assert (len(told.receipts), report["drafts_saved"]) == (8, 8)
    assert sum(report["killed"].values()) > 0


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_with_two_web_processes_nothing_is_lost_when_these_and_postgresql_are_killed() -> None:
    report, told, untrue = kill_and_look(submissions=0, learners=4, seed=5, kills=6)
    assert untrue == []
    assert (report["different_receipts_for_one_key"], report["never_worked_again"]) == (0, [])
    assert sum(report["killed"].values()) == 6
    assert told.receipts
    assert report["class"]["members"] > 4
    assert {"board", "stream"} < {kind for kinds in report["seconds_until_it_works"].values() for kind in kinds}


@pytest.mark.anyio
async def test_what_is_not_in_the_database_is_found_untrue(database_url: str) -> None:
    database = Database(database_url)
    await database.write(lambda _: None)
    await database.close()
    told = Told(receipts=[Receipt("ada", "ada-0", "0000", "x")], saved={})
    receipt, keys = find_untrue(database_url, told)
    assert receipt.startswith("receipt 0000")
    assert keys.startswith("keys")
    assert find_untrue(database_url, replace(told, receipts=[])) == []


@pytest.mark.anyio
async def test_what_attackers_have_in_the_database_is_not_called_untrue(database_url: str) -> None:
    database = Database(database_url)
    await database.write(lambda connection: take(connection, "eve", make_zip(records=3)))
    await database.close()
    assert find_untrue(database_url, Told()) == []


@pytest.mark.anyio
async def test_who_is_twice_on_the_roster_or_lost_and_a_lost_hand_are_found(database_url: str) -> None:
    joined = await open_class(database_url)
    database = Database(database_url)
    ada, _ = await database.write(plant_member, joined.id, "Ada")
    await database.write(plant_hand, ada, 1)
    joined.confirmed.update({("Ada", JOINED): (1, 1), ("Ada", HAND): (1, 1)})
    assert find_untrue_members(database_url, joined) == []
    await database.write(plant_member, joined.id, "Ada")
    joined.confirmed.update({("Ben", JOINED): (1, 1), ("Ben", HAND): (1, 1)})
    await database.close()
    untrue = find_untrue_members(database_url, joined)
    assert untrue == [
        "Ada is 2 times on the roster",
        "Ben is lost, or was never confirmed",
        "the hand of Ben is lost, or was lowered",
    ]
    shown = ShownRow(member=1, name="Ada", hand=True, tries=2)
    joined.confirmed[("Ada", TRIES)] = (2, 5)
    del joined.confirmed[("Ben", JOINED)], joined.confirmed[("Ben", HAND)]
    assert find_disagreements([shown], 9, joined) == []
    joined.confirmed[("Ada", TRIES)] = (3, 9)  # it may have come after the board was read
    assert find_disagreements([shown], 9, joined) == []
    assert len(find_disagreements([shown, shown], 10, joined)) == 2
    assert len(find_disagreements([], 9, joined)) == 2
