"""What an operator sees of the retention."""

import json

from app.classroom.store.times import DAY_MS, now_ms
from tests.classroom.store_rows import add_learner
from tests.serving.operating.stored import Gradroom, Stored


def add_learners(stored: Stored) -> None:
    for name, days in (("old", 401), ("older", 900), ("soon", 390), ("new", 1)):
        stored.write(add_learner(name, seen_ms=now_ms() - days * DAY_MS, text="x = 1"))


def test_it_is_counted_who_is_due_and_who_will_be(gradroom: Gradroom, stored: Stored) -> None:
    add_learners(stored)
    assert gradroom("retention").stdout.splitlines() == [
        "GRADROOM_RETENTION_DAYS is 400: learners are deleted that many days after their last visit.",
        "At the next check, which a server makes each hour: 2 learners.",
        "Within 30 days, unless they come back: 3 learners.",
    ]
    assert json.loads(gradroom("retention", "--within", "5", "--json").stdout)["soon"] == 2
    assert len(stored.query("SELECT * FROM learner")) == 4
    assert stored.list_audit() == []


def test_whoever_is_due_is_deleted_at_once(gradroom: Gradroom, stored: Stored) -> None:
    add_learners(stored)
    shown = gradroom("retention", "--now")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[1:] == ["Deleted just now: 2 learners.", "Within 30 days, unless they come back: 1 learners."]
    assert stored.query("SELECT name FROM learner ORDER BY name") == [("new",), ("soon",)]
    assert stored.list_audit() == [("operator", "retention run", None)]


def test_without_a_limit_nobody_is_deleted(gradroom: Gradroom, stored: Stored) -> None:
    add_learners(stored)
    never = {"GRADROOM_RETENTION_DAYS": "0"}
    assert gradroom("retention", **never).stdout == "GRADROOM_RETENTION_DAYS is 0: nobody’s work is deleted because of its age.\n"
    assert gradroom("retention", "--now", **never).returncode == 2
    assert len(stored.query("SELECT * FROM learner")) == 4
