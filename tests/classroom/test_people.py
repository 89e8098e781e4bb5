"""People, their links and sessions, and the audit table."""

import pytest
from sqlalchemy import Connection

from app.classroom.people import audit, people, person_sessions, sign_in_links
from app.classroom.people.people import BadName, NameTaken
from app.classroom.people.person_sessions import IDLE_DAYS, LIFE_DAYS
from app.classroom.people.roles import Role
from app.classroom.people.sign_in_links import LINK_DAYS
from app.classroom.store.times import DAY_MS
from tests.classroom.audit_entries import list_newest

NOW = 1_800_000_000_000


def test_a_person_is_found_however_the_name_is_written(connection: Connection) -> None:
    made = people.make_person(connection, "  Ada   Lovelace ", Role.INSTRUCTOR, NOW)
    assert made.name == "Ada Lovelace"
    for name in ("ada lovelace", "ADA  LOVELACE", "Ａda Lovelace"):
        assert people.find_person(connection, name) == made
        with pytest.raises(NameTaken):
            people.make_person(connection, name, Role.ASSISTANT, NOW)
    assert people.find_person(connection, "Ada") is None


@pytest.mark.parametrize("name", ["", "   ", "a" * 65, "Ada\u200bLovelace", "Ada\u202e", "a\x00b", "Ada\u3164", "\u0301"])
def test_a_name_that_cannot_be_seen_or_compared_is_refused(connection: Connection, name: str) -> None:
    with pytest.raises(BadName):
        people.make_person(connection, name, Role.INSTRUCTOR, NOW)


def test_the_key_of_a_name_fits_its_column() -> None:
    assert len(people.make_name_key("\ufdfa" * 64)) == 64


def test_a_name_that_no_database_stores_is_nobodys(connection: Connection) -> None:
    assert people.find_person(connection, "a\0b") is None


def test_a_renamed_person_signs_in_with_the_new_name(connection: Connection) -> None:
    ada, _ = (people.make_person(connection, name, Role.INSTRUCTOR, NOW) for name in ("Ada", "Grace"))
    renamed = people.rename_person(connection, ada, "ADA L.")
    assert (people.find_person(connection, "ada l."), people.find_person(connection, "ada")) == (renamed, None)
    assert people.rename_person(connection, renamed, "Ada L.").name == "Ada L."
    with pytest.raises(NameTaken):
        people.rename_person(connection, renamed, "grace")


def test_a_removed_person_leaves_no_link_and_no_session(connection: Connection) -> None:
    ada = people.make_person(connection, "Ada", Role.INSTRUCTOR, NOW)
    link, session = sign_in_links.make_link(connection, ada.id, NOW), person_sessions.make_session(connection, ada.id, "", NOW)
    people.remove_person(connection, ada.id)
    assert people.list_people(connection) == []
    assert sign_in_links.find_link(connection, link, NOW) is None
    assert person_sessions.find_session(connection, session, NOW) is None


def test_a_link_works_once(connection: Connection) -> None:
    ada = people.make_person(connection, "Ada", Role.INSTRUCTOR, NOW)
    link = sign_in_links.make_link(connection, ada.id, NOW)
    assert sign_in_links.find_link(connection, link, NOW) == ada
    assert [sign_in_links.use_link(connection, link, NOW) for _ in range(2)] == [ada, None]


def test_a_link_ends_after_days_and_with_a_newer_one(connection: Connection) -> None:
    ada = people.make_person(connection, "Ada", Role.INSTRUCTOR, NOW)
    first, second = (sign_in_links.make_link(connection, ada.id, NOW) for _ in range(2))
    assert sign_in_links.use_link(connection, first, NOW) is None
    end = NOW + LINK_DAYS * DAY_MS
    assert sign_in_links.find_link(connection, second, end - 1) == ada
    assert sign_in_links.use_link(connection, second, end) is None


def test_a_session_that_is_used_lasts_and_an_idle_one_ends(connection: Connection) -> None:
    ada = people.make_person(connection, "Ada", Role.INSTRUCTOR, NOW)
    token = person_sessions.make_session(connection, ada.id, "Firefox", NOW)
    found = person_sessions.find_session(connection, token, NOW + IDLE_DAYS * DAY_MS - 1)
    assert found is not None and found.person == ada
    assert person_sessions.find_session(connection, token, NOW + IDLE_DAYS * DAY_MS) is None
    for day in range(0, LIFE_DAYS, 10):
        person_sessions.record_use(connection, found.id, NOW + day * DAY_MS)
    assert person_sessions.find_session(connection, token, NOW + LIFE_DAYS * DAY_MS - 1)
    assert person_sessions.find_session(connection, token, NOW + LIFE_DAYS * DAY_MS) is None


def test_only_own_sessions_are_listed_and_ended(connection: Connection) -> None:
    ada, eve = (people.make_person(connection, name, Role.INSTRUCTOR, NOW) for name in ("Ada", "Eve"))
    tokens = [person_sessions.make_session(connection, ada.id, f"browser {number}", NOW + number) for number in range(3)]
    listed = person_sessions.list_sessions(connection, ada.id, NOW)
    assert [one.client for one in listed] == ["browser 2", "browser 1", "browser 0"]
    assert not person_sessions.end_session(connection, eve.id, listed[0].id)
    assert person_sessions.end_sessions(connection, eve.id) == 0
    assert person_sessions.end_session(connection, ada.id, listed[0].id)
    assert person_sessions.end_sessions(connection, ada.id, but=listed[1].id) == 1
    assert [person_sessions.find_session(connection, token, NOW) is not None for token in tokens] == [False, True, False]


def test_a_session_that_ended_is_deleted_with_the_next_sign_in(connection: Connection) -> None:
    ada = people.make_person(connection, "Ada", Role.INSTRUCTOR, NOW)
    person_sessions.make_session(connection, ada.id, "old", NOW)
    person_sessions.make_session(connection, ada.id, "new", NOW + LIFE_DAYS * DAY_MS)
    assert [one.client for one in person_sessions.list_sessions(connection, ada.id, NOW)] == ["new"]


def test_no_token_is_stored(connection: Connection) -> None:
    ada = people.make_person(connection, "Ada", Role.INSTRUCTOR, NOW)
    tokens = [sign_in_links.make_link(connection, ada.id, NOW), person_sessions.make_session(connection, ada.id, "", NOW)]
    stored = [str(row) for table in ("sign_in_link", "person_session") for row in connection.exec_driver_sql(f"SELECT * FROM {table}")]
    assert len(stored) == 2
    assert not [token for token in tokens if token in "".join(stored)]
    assert all(len(token) >= 43 for token in tokens)  # 256 bits


def test_an_entry_of_the_audit_table_names_both_and_is_erased_by_either(connection: Connection) -> None:
    ada, learner = audit.name_person("Ada"), audit.name_learner("l1")
    audit.append(connection, 1, audit.COMMAND_LINE, "person_made", ada, role="instructor")
    audit.append(connection, 2, ada, "signed_in", ada)
    audit.append(connection, 3, audit.COMMAND_LINE, "learner_exported", learner)
    assert [one.action for one in list_newest(connection, 2)] == ["learner_exported", "signed_in"]
    assert [one.detail for one in list_newest(connection, 9)] == [{}, {}, {"role": "instructor"}]
    assert audit.erase_subject(connection, ada) == 2
    assert [one.subject for one in list_newest(connection, 9)] == [learner]


def test_an_entry_of_the_audit_table_is_deleted_after_as_many_days_as_a_learner(connection: Connection) -> None:
    for day in range(4):
        audit.append(connection, day * DAY_MS, audit.COMMAND_LINE, f"day {day}")
    audit.prune(connection, 5 * DAY_MS, days=0)
    assert len(list_newest(connection, 9)) == 4
    audit.prune(connection, 5 * DAY_MS, days=3)
    assert [one.action for one in list_newest(connection, 9)] == ["day 3", "day 2"]
