"""Members whose last attempts at an exercise failed in the same way."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from app.classroom.classes.board.board_rows import BoardRow
from app.classroom.classes.board.failures import Failure

LEAST = 2  # members of a cluster
MOST_SHOWN = 8


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """Members who fail in the same way. `attempts` are their last attempts, in the same order, newest first."""

    lesson: str
    exercise: str
    failure: Failure
    members: list[int]
    attempts: list[int]


def find_clusters(rows: Iterable[BoardRow]) -> list[Cluster]:
    """Return at most MOST_SHOWN clusters of a board, the largest first. Members who are away do not count."""
    alike: defaultdict[tuple[str, str, str], list[BoardRow]] = defaultdict(list)
    for row in rows:
        if row.attempt is not None and row.failure is not None and row.group != "away":
            alike[row.lesson, row.exercise, row.failure.key].append(row)
    clusters = [make_cluster(found) for found in alike.values() if len(found) >= LEAST]
    clusters.sort(key=lambda one: (-len(one.members), one.lesson, one.exercise, one.failure.key))
    return clusters[:MOST_SHOWN]


def make_cluster(alike: list[BoardRow]) -> Cluster:
    newest_first = sorted(alike, key=lambda row: -(row.attempt or 0))
    first = newest_first[0]
    return Cluster(
        lesson=first.lesson,
        exercise=first.exercise,
        failure=first.failure or Failure(),
        members=[row.member for row in newest_first],
        attempts=[row.attempt for row in newest_first if row.attempt is not None],
    )
