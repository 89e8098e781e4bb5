"""Compares thresholds of the rule of stuck on the attempts of a class that is stored: whom would its board have called stuck, and when?

`python -m tests.load.stuck_thresholds URL [--class ID]` reads a store, for example after `gradroom loadtest --class`, and prints a table.
An alarm is a member who becomes stuck at an exercise. It is false if they pass within two minutes, perhaps with the solution that they have
looked at.

The store has no history of presence and of hands: members count as present until their last stored work, and no hand as raised.
"""

import argparse
from collections import defaultdict
from dataclasses import dataclass, field
from statistics import mean
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Connection, func, select

from app.classroom.classes.board.board_rows import Place, StoredTry, choose_place, read_tries
from app.classroom.classes.board.stuck_rule import MINUTE_MS, ExerciseTry, MemberState, StuckLimits, judge
from app.classroom.store.engine import make_engine
from app.classroom.store.schema.class_tables import MemberLearnerRow
from app.classroom.store.schema.tables import DraftVersionRow, PredictionRow, StandingRow

COMPARED = [StuckLimits(tries=tries, minutes=minutes) for tries, minutes in ((2, 4), (3, 8), (4, 10), (5, 15))]
LOOK_MS = 10_000  # between two looks at the board
SOON_MS = 2 * MINUTE_MS
HEADS = (
    "submissions, minutes",
    "stuck at once: most",
    "mean",
    "members ever",
    "alarms",
    "false",
    "after a look at the solution",
    "never passed, no alarm",
)
EXERCISE = "exercise_"  # begins the names of exercises' cells


@dataclass
class RecordedMember:
    """What a member did, by time: where they were, their attempts, and when they first looked at solutions."""

    places: list[tuple[int, Place]] = field(default_factory=list)
    tries: list[StoredTry] = field(default_factory=list)
    shown: dict[Place, int] = field(default_factory=dict)

    def find_stuck(self, limits: StuckLimits, at_ms: int) -> Place | None:
        """Return where the member was stuck at a time, or None."""
        here, here_ms = ("", ""), 0
        for ms, place in self.places:
            if ms <= at_ms and place != here:
                here, here_ms = place, ms
        tries = [one for one in self.tries if one.at_ms <= at_ms]
        row: Any = SimpleNamespace(lesson=here[0], exercise=here[1])
        place = choose_place([row], tries, None)
        made = [one for one in tries if one.place == place]
        state = MemberState(
            active_ms=min(at_ms, self.places[-1][0]),
            here_ms=here_ms,
            at_exercise=place[1] != "",
            has_passed=any(one.passed for one in made),
            tries=[ExerciseTry(at_ms=one.at_ms, good=one.good, passed=one.passed) for one in made],
        )
        return place if judge(state, limits, at_ms).group == "stuck" else None

    def passed_ms(self, place: Place) -> float:
        """Return when the member first passed an exercise. Infinity stands for never."""
        return min((one.at_ms for one in self.tries if one.place == place and one.passed), default=float("inf"))


def read_members(connection: Connection, class_id: int) -> list[RecordedMember]:
    """Return the members of a class who did something since they joined."""
    tries, members = read_tries(connection, class_id, 0), defaultdict[int, RecordedMember](RecordedMember)
    rows = select(MemberLearnerRow.member_id, MemberLearnerRow.learner_id, MemberLearnerRow.since_ms)
    for member_id, learner, since_ms in connection.execute(rows.where(MemberLearnerRow.class_id == class_id)).all():
        member = members[member_id]
        member.tries = tries[member_id]
        places = [(one.at_ms, one.place) for one in member.tries]
        texts = select(DraftVersionRow.at_ms, DraftVersionRow.lesson, DraftVersionRow.cell).where(DraftVersionRow.learner_id == learner)
        for ms, lesson, cell in connection.execute(texts):
            places.append((ms, (lesson, cell.removeprefix(EXERCISE) if cell.startswith(EXERCISE) else "")))
        answers = select(PredictionRow.first_ms, PredictionRow.lesson).where(PredictionRow.learner_id == learner)
        places += [(ms, (lesson, "")) for ms, lesson in connection.execute(answers)]
        member.places = sorted({*member.places, *(one for one in places if one[0] >= since_ms)})
        looks = select(StandingRow.lesson, StandingRow.exercise, StandingRow.shown_ms)
        shown = connection.execute(looks.where(StandingRow.learner_id == learner))
        member.shown.update({(lesson, exercise): ms for lesson, exercise, ms in shown if ms is not None})
    return [member for member in members.values() if member.places]


def replay(members: list[RecordedMember], limits: StuckLimits) -> tuple[list[str], list[int]]:
    """Return a row of the table, and the most members who were stuck at once in each minute."""
    begin, end = min(one.places[0][0] for one in members), max(one.places[-1][0] for one in members)
    counts, alarms = list[int](), dict[tuple[int, Place], int]()
    for at_ms in range(begin, end + LOOK_MS, LOOK_MS):
        stuck = {(n, place) for n, one in enumerate(members) if (place := one.find_stuck(limits, at_ms))}
        counts.append(len(stuck))
        alarms = dict.fromkeys(stuck, at_ms) | alarms
    false = [(members[n], place) for (n, place), ms in alarms.items() if members[n].passed_ms(place) <= ms + SOON_MS]
    told = sum(place in one.shown and one.shown[place] <= one.passed_ms(place) for one, place in false)
    unsolved = {
        (n, attempt.place) for n, one in enumerate(members) for attempt in one.tries if one.passed_ms(attempt.place) == float("inf")
    }
    figures = (
        max(counts),
        f"{mean(counts):.1f}",
        len({n for n, _ in alarms}),
        len(alarms),
        len(false),
        told,
        len(unsolved - alarms.keys()),
    )
    looks = MINUTE_MS // LOOK_MS
    return [f"{limits.tries}, {limits.minutes}", *map(str, figures)], [max(counts[n : n + looks]) for n in range(0, len(counts), looks)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="of the store's database, as GRADROOM_DATABASE_URL has it")
    parser.add_argument("--class", dest="class_id", type=int, help="the last one that somebody joined")
    given = parser.parse_args()
    with make_engine(given.url, writes=False).connect() as connection:
        class_id = given.class_id or connection.execute(select(func.max(MemberLearnerRow.class_id))).scalar_one()
        members = read_members(connection, class_id)
    tries = [one for member in members for one in member.tries]
    print(f"{len(members)} members, {len(tries)} submissions, of which {sum(one.passed for one in tries)} passed\n")
    table = [replay(members, limits) for limits in COMPARED]
    print("\n".join(f"| {' | '.join(row)} |" for row in (HEADS, ["---"] * len(HEADS), *(row for row, _ in table))))
    for limits, (_, minutes) in zip(COMPARED, table, strict=True):
        print(f"\nStuck at once by the minute with {limits.tries}, {limits.minutes}: {' '.join(map(str, minutes))}")


if __name__ == "__main__":
    main()
