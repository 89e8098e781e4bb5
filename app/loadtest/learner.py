"""One simulated learner, who opens the course map, then each lesson in turn, and edits and runs its cells in order."""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from app.loadtest.coursework import TaskCell, TaskLesson
from app.loadtest.pace import EDITS, Pace
from app.loadtest.report import FIRST_EVENT, PAGE, RESULT, Observations
from app.loadtest.server_answers import RunSeen, TurnedAway, Unserved
from app.loadtest.visitor import Visitor, backoff_seconds

EDIT = "\n# another look\n"


class SimulatedLearner:
    """A learner who attends one class. `begin` is when the class began, on the event loop's clock."""

    def __init__(
        self, visitor: Visitor, lessons: Sequence[TaskLesson], pace: Pace, dice: random.Random, seen: Observations, begin: float
    ) -> None:
        self._visitor, self._lessons, self._pace, self._dice, self._seen, self._begin = visitor, lessons, pace, dice, seen, begin
        self._clock = asyncio.get_running_loop().time

    async def attend(self) -> None:
        """Attend until the class is over. Errors of the server are recorded in the observations, not raised."""
        await self._wait_until(self._pace.arrival(self._dice))
        await self._open("/")
        for lesson in itertools.cycle(self._lessons):
            open_at, wave_is_near = self._pace.press(self._now, self._dice)
            await self._wait_until(self._now if wave_is_near else open_at)
            if self._is_over():
                return
            if await self._open(f"/en/{lesson.path}"):
                await self._work_on(lesson)

    async def _work_on(self, lesson: TaskLesson) -> None:
        edited: dict[str, str] = {}
        for cell in lesson.cells:
            press_at, in_wave = self._pace.press(self._now, self._dice)
            if self._dice.random() < EDITS:
                edited[cell.id] = cell.source + EDIT
            await self._wait_until(press_at)
            if self._is_over():
                return
            await self._press_run(lesson, cell, edited, in_wave)

    async def _press_run(self, lesson: TaskLesson, cell: TaskCell, edited: dict[str, str], in_wave: bool) -> None:
        """Send the request that the page would send, and compare the result with what the lesson declares."""
        sources = {name: edited[name] for name in cell.after if name in edited}
        request = {"lang": "en", "source": edited.get(cell.id, cell.source), "lesson": lesson.path, "cell": cell.id, "sources": sources}
        self._seen.pressed += 1
        waits = self._seen.wave_waits if in_wave else self._seen.waits
        start = self._clock()
        events = itertools.count()

        def note_event() -> None:
            if next(events) == 0:
                waits[FIRST_EVENT].append(self._clock() - start)

        result: RunSeen | None = await self._persist(lambda: self._visitor.run(request, note_event))
        self._seen.ended += 1
        if result is None:
            return
        waits[RESULT].append(self._clock() - start)
        self._seen.queued_seconds.append(result.queued_seconds)
        self._seen.run_seconds.append(result.run_seconds)
        if mismatch := cell.mismatch(result.outcome, result.error_type):
            self._seen.mismatches[f"{lesson.path} {cell.id}: {mismatch}"] += 1

    async def _open(self, path: str) -> bool:
        """Open a page and return whether it was loaded."""
        start = self._clock()

        async def open_page() -> bool:
            await self._visitor.open_page(path)
            return True

        opened = bool(await self._persist(open_page))
        if opened:
            self._seen.waits[PAGE].append(self._clock() - start)
        return opened

    async def _persist(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        """Call `ask`, again after each refusal as the page does, and return its result. Return None if `ask` fails otherwise."""
        for attempt in itertools.count():
            try:
                return await ask()
            except TurnedAway as away:
                self._seen.refusals[str(away)] += 1
                await asyncio.sleep(away.seconds or backoff_seconds(attempt))
            except Unserved as fault:
                self._seen.faults[str(fault)] += 1
                return None
        return None

    @property
    def _now(self) -> float:
        return self._clock() - self._begin

    def _is_over(self) -> bool:
        return self._now >= self._pace.seconds

    async def _wait_until(self, moment: float) -> None:
        """Sleep until `moment`, in seconds since the class began, but not longer than until the class ends."""
        await asyncio.sleep(max(0.0, min(moment, self._pace.seconds) - self._now))
