"""A process that makes changes to a store, as a web process does. Several of them share one database."""

import multiprocessing
import threading
from concurrent.futures import Future
from multiprocessing.connection import Connection as Pipe
from types import TracebackType
from typing import Any, Self

from app.classroom.store.database import Database
from tests.classroom.interleaved_changes import ChangeToMake, Made, make_change, split_change

PATIENCE_SECONDS = 120


class WritingProcess:
    """The writing process, as its parent uses it. `put` sends it a change to make, and `take` waits for the results of all changes."""

    def __init__(self, url: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=write_until_closed, args=(url, other), daemon=True)
        self._process.start()
        other.close()
        self._put = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._pipe.close()
        self._process.join(PATIENCE_SECONDS)

    def put(self, change: ChangeToMake) -> None:
        self._pipe.send(change)
        self._put += 1

    def take(self) -> list[Made]:
        """Return what became of the changes, in no order. Raises what one of them raised."""
        made: list[Made] = []
        for _ in range(self._put):
            assert self._pipe.poll(PATIENCE_SECONDS), "a change was not made"
            told = self._pipe.recv()
            if isinstance(told, BaseException):
                raise told
            made += told
        self._put = 0
        return made


def write_until_closed(url: str, pipe: Pipe) -> None:
    """Make the changes that the pipe has, those of one learner in their order, and send the result of each back."""
    database, versions, sending = Database(url), dict[tuple[str, ...], int](), threading.Lock()

    def tell(futures: list[Future[Made]]) -> None:
        try:
            made = [future.result() for future in futures]
            for one in made:
                note_version(versions, one)
            told: Any = made
        except Exception as error:
            told = error
        with sending:
            pipe.send(told)

    while True:
        try:
            change: ChangeToMake = pipe.recv()
        except EOFError:
            return
        if change.kind == "save":  # a page saves what began from the version that it knows
            change.facts["version"] = versions.get(place_of(change), 0)
        futures = [database.enqueue_in_order(change.learner, make_change, part) for part in split_change(change)]
        futures[-1].add_done_callback(lambda _, futures=futures: tell(futures))  # type: ignore[misc]


def place_of(change: ChangeToMake) -> tuple[str, ...]:
    return change.learner, change.facts["lesson"], change.facts["cell"]


def note_version(versions: dict[tuple[str, ...], int], made: Made) -> None:
    """Store the version that a save has made, or with which it was in conflict: the next save of this process begins from it."""
    match made.change.kind, made.result:
        case "save", ("conflict", int(version)):
            versions[place_of(made.change)] = version
        case "save", int(version):
            versions[place_of(made.change)] = version
