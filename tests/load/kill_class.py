"""Members of a class, who join it and raise their hands while processes are killed, and what the server confirmed to them."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from sqlalchemy import Connection, text

from app.classroom.classes.class_lessons import ClassLesson, set_lessons
from app.classroom.classes.school_classes import find_class, make_class
from app.classroom.people import people, sign_in_links
from app.classroom.people.roles import Role
from app.classroom.store.database import Database
from app.classroom.store.engine import make_engine
from app.classroom.store.times import now_ms
from tests.bench.server import Server
from tests.load.kill_learners import EXERCISE, LESSON, Learner, Receipt, Told

FAULT = "\nraise ValueError('not yet')\n"
NEWCOMER_SECONDS = 1.5  # between two of them
MOST_NEWCOMERS = 250  # an address gets 300 cookies at once
JOINED, HAND, TRIES = "joined", "hand", "tries"
ROSTER = """
SELECT member.name, (SELECT count(*) FROM member_learner WHERE member_id = member.id) AS learners,
(SELECT count(*) FROM raised_hand WHERE member_id = member.id AND at_ms IS NOT NULL) AS hands FROM member WHERE class_id = :class_id
"""


@dataclass(frozen=True)
class OpenClass:
    """A class, its code, the path that signs its instructor in, and what was confirmed to its members.

    `confirmed` has, by a member's name and one of JOINED, HAND and TRIES (submissions that did not pass), the value and since when, in ms.
    While a change is not confirmed, there is none.
    """

    id: int
    code: str
    sign_in: str
    confirmed: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    @contextmanager
    def changing(self, name: str, what: str, value: int) -> Iterator[None]:
        """Record that a member's value is being changed, and at the end that this is confirmed."""
        self.confirmed.pop((name, what), None)
        yield
        self.confirmed[name, what] = (value, now_ms())


async def open_class(url: str) -> OpenClass:
    """Make a class with an instructor in a store."""
    database = Database(url)

    def make(connection: Connection) -> OpenClass:
        teacher = people.make_person(connection, "Tess", Role.INSTRUCTOR, now_ms()).id
        class_id = make_class(connection, teacher, "Killed", now_ms())
        set_lessons(connection, teacher, class_id, [ClassLesson(lesson=LESSON, opens_ms=0)])
        token = sign_in_links.make_link(connection, teacher, now_ms())
        return OpenClass(class_id, find_class(connection, teacher, class_id).code, f"/en/sign-in/{token}")

    made = await database.write(make)
    await database.close()
    return made


class Member(Learner):
    """A learner who joins a class as `label`, and raises and lowers a hand in turn. If one `fails`, so do all their programs."""

    def __init__(self, server: Server, told: Told, dice: random.Random, joined: OpenClass, label: str, *, fails: bool = False) -> None:
        super().__init__(server, told, dice)
        self._class, self._label, self._keys = joined, label, set[str]()
        self.ending = FAULT if fails else ""

    async def begin(self) -> None:
        """Get a cookie, and send the form for joining twice at once."""
        await super().begin()
        with self._class.changing(self._label, JOINED, 1):
            await asyncio.gather(*(self.post_form(f"/en/join/{self._class.code}", {"name": self._label}) for _ in range(2)))

    async def do_round(self, number: int) -> Receipt:
        await self.change_hand(raised=number % 2 == 0)
        return await super().do_round(number)

    async def submit(self, key: str, source: str) -> Receipt:
        self._keys.add(key)
        if not self.ending:
            return await super().submit(key, source)
        with self._class.changing(self._label, TRIES, len(self._keys)):
            return await super().submit(key, source)

    async def change_hand(self, *, raised: bool) -> None:
        body = {"lesson": LESSON, "exercise": EXERCISE} if raised else None
        with self._class.changing(self._label, HAND, raised):
            await self._send("PUT" if raised else "DELETE", f"/api/me/classes/{self._class.id}/hand", body)


async def join_newcomers(server: Server, told: Told, dice: random.Random, joined: OpenClass, is_done: Callable[[], bool]) -> None:
    """Let one learner after the other join, raise a hand and leave."""
    for number in count(1):
        if is_done() or number > MOST_NEWCOMERS:
            return
        newcomer = Member(server, told, dice, joined, f"Newcomer {number}")
        async with newcomer.client:
            await newcomer.begin()
            await newcomer.change_hand(raised=True)
        await asyncio.sleep(NEWCOMER_SECONDS)


def find_untrue_members(url: str, joined: OpenClass) -> list[str]:
    """Return what is wrong on the roster: members who are there twice or not at all, and hands that are not as confirmed."""
    engine = make_engine(url, writes=False)
    with engine.connect() as connection:
        rows = connection.execute(text(ROSTER), {"class_id": joined.id}).all()
    engine.dispose()
    members = {name for name, what in joined.confirmed if what == JOINED}
    raised = {name for (name, what), (value, _) in joined.confirmed.items() if what == HAND and value}
    untrue = [f"{name} is {number} times on the roster" for name, number in Counter(row.name for row in rows).items() if number > 1]
    untrue += [f"{row.name} has {row.learners} learners" for row in rows if row.learners != 1]
    untrue += [f"{name} is lost, or was never confirmed" for name in members ^ {row.name for row in rows}]
    return untrue + [f"the hand of {name} is lost, or was lowered" for name in raised ^ {row.name for row in rows if row.hands}]
