"""One simulated learner, who opens the course map, then each lesson in turn, predicts, edits and runs its cells, and does an exercise."""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from app.loadtest.class_member import ClassMember
from app.loadtest.coursework import TaskCell, TaskExercise, TaskLesson
from app.loadtest.pace import EDITS, SUBMISSIONS, Pace
from app.loadtest.report import FIRST_EVENT, GRADED, PAGE, PREDICTED, RESULT, SAVED, Observations
from app.loadtest.server_answers import RunSeen, Unserved, describe_result
from app.loadtest.visitor import Visitor, persist

EDIT = "\n# another look\n"
FAULTS = ("", "\nraise ValueError('lost')\n")  # texts with which wrong submissions end
WITHHELD = "solution_withheld"  # the code of the API


class SimulatedLearner:
    """A learner who attends one class. `begin` is when it began, on the event loop's clock. `member` is None without a code to join."""

    def __init__(
        self,
        visitor: Visitor,
        lessons: Sequence[TaskLesson],
        pace: Pace,
        dice: random.Random,
        seen: Observations,
        begin: float,
        member: ClassMember | None = None,
    ) -> None:
        self._visitor, self._lessons, self._pace, self._dice, self._seen, self._begin = visitor, lessons, pace, dice, seen, begin
        self._member = member
        self._passed: set[tuple[str, str]] = set()  # exercises, with their lessons
        self._clock = asyncio.get_running_loop().time
        self._versions: dict[str, int] = {}  # of the stored texts, by address

    async def attend(self) -> None:
        """Attend until the class is over. Errors of the server are recorded in the observations, not raised."""
        await self._wait_until(self._pace.arrival(self._dice))
        await self._open("/")
        if self._member is None:
            await self._attend_lessons()
            return
        await self._persist(self._member.join)
        self._lessons = [one for one in self._lessons if one.path in self._member.lessons] or self._lessons
        try:
            await self._attend_lessons()
        finally:
            self._member.close()

    async def _attend_lessons(self) -> None:
        for lesson in itertools.cycle(self._lessons):
            open_at, wave = self._pace.press(self._now, self._dice)
            await self._wait_until(open_at if wave is None else self._now)
            if self._is_over():
                return
            if await self._open(f"/en/{lesson.path}"):
                if self._member:
                    self._member.look_at(lesson)
                await self._work_on(lesson)

    async def _work_on(self, lesson: TaskLesson) -> None:
        edited: dict[str, str] = {}
        exercise = next((one for one in lesson.exercises if one.continues is None), None)
        for cell in lesson.cells:
            press_at, wave = self._pace.press(self._now, self._dice)
            if self._dice.random() < EDITS:
                edited[cell.id] = cell.source + EDIT
            await self._wait_until(press_at)
            if self._is_over():
                return
            if wave == SUBMISSIONS and exercise is not None:
                await self._submit(lesson, exercise, exercise.starter, self._seen.wave_waits)
                continue
            if cell is lesson.cells[0]:
                await self._predict(lesson)
            if cell.id in edited:
                await self._save(lesson, cell.id, edited[cell.id])
            await self._press_run(lesson, cell, edited, in_wave=wave is not None)
        if exercise is not None:
            await self._solve(lesson, exercise)

    async def _press_run(self, lesson: TaskLesson, cell: TaskCell, edited: dict[str, str], *, in_wave: bool) -> None:
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

        result: RunSeen | None = await self._persist(lambda: self._visitor.run(request, note_event), waits[RESULT])
        self._seen.ended += 1
        if result is None:
            return
        self._note_run(result)
        if mismatch := cell.mismatch(result.outcome, result.error_type):
            self._seen.mismatches[f"{lesson.path} {cell.id}: {mismatch}"] += 1

    async def _predict(self, lesson: TaskLesson) -> None:
        """Answer the first prediction of the lesson, rightly or wrongly."""
        for prediction in lesson.predictions[:1]:
            address = f"/api/lessons/{lesson.path}/predictions/{prediction.id}"
            body = {"answer": prediction.guess(self._dice), "lang": "en"}
            waits = self._seen.waits[PREDICTED]
            await self._persist(lambda: self._visitor.stream(address, body, "prediction"), waits)  # noqa: B023 - it is awaited here

    async def _save(self, lesson: TaskLesson, cell: str, source: str) -> None:
        """Save the text of a cell as the next version."""
        address = f"/api/me/drafts/{lesson.path}/{cell}"
        body = {"source": source, "version": self._versions.get(address, 0), "lang": "en"}
        if answer := await self._persist(lambda: self._visitor.send("PUT", address, body), self._seen.waits[SAVED]):
            self._versions[address] = answer["version"]

    async def _solve(self, lesson: TaskLesson, exercise: TaskExercise) -> None:
        """Submit the starter, give up, look at the solution, and submit that, which must pass.

        In a class, some learners submit several wrong programs, and raise a hand after the first. A learner whose submissions were all lost
        may not see the solution.
        """
        answers = []
        for number in range(self._member.tries if self._member else 1):
            if self._member and self._member.asks_help and number == 1:
                await self._member.raise_hand(lesson, exercise, shares=self._dice.random() < 0.5)
            press_at, wave = self._pace.press(self._now, self._dice)
            await self._wait_until(press_at)
            if self._is_over():
                return
            source = exercise.starter
            if self._member:
                source += self._dice.choice(FAULTS) + f"\n# try {number + 1}\n"
                await self._save(lesson, f"exercise_{exercise.id}", source)
            waits = self._seen.waits if wave is None else self._seen.wave_waits
            answers.append(await self._submit(lesson, exercise, source, waits))
        if self._member:
            await self._member.lower_hand()
        if all(answer is None for answer in answers):
            return
        solution = await self._persist(lambda: self._show_solution(lesson, exercise))
        press_at, wave = self._pace.press(self._now, self._dice)
        await self._wait_until(press_at)
        if solution is None or self._is_over():
            return
        await self._save(lesson, f"exercise_{exercise.id}", solution["source"])
        waits = self._seen.waits if wave is None else self._seen.wave_waits
        if await self._submit(lesson, exercise, solution["source"], waits) is False:
            self._seen.mismatches[f"{lesson.path} {exercise.id}: its solution does not pass"] += 1

    async def _show_solution(self, lesson: TaskLesson, exercise: TaskExercise) -> Any:
        """Return the solution, or None if the class does not show it yet."""
        try:
            return await self._visitor.send("POST", f"/api/lessons/{lesson.path}/exercises/{exercise.id}/solution", {})
        except Unserved as fault:
            if self._member and WITHHELD in str(fault):
                return None
            raise

    async def _submit(self, lesson: TaskLesson, exercise: TaskExercise, source: str, waits: dict[str, list[float]]) -> bool | None:
        """Submit a program, and return whether it passes, or None if there is no answer. An answer without a receipt is a fault."""
        address = f"/api/lessons/{lesson.path}/exercises/{exercise.id}/submissions"
        key = {"idempotency-key": f"{self._dice.getrandbits(128):032x}"}
        place = lesson.path, exercise.id
        if self._member and place not in self._passed:
            self._member.expect_attempt()
        self._seen.pressed += 1
        body = {"source": source, "lang": "en"}
        answer = await self._persist(lambda: self._visitor.stream(address, body, "submission", headers=key), waits[GRADED])
        self._seen.ended += 1
        if self._member:  # the board shows attempts at an exercise until one passes
            shown = answer is not None and answer["receipt"] is not None and not answer["passed"] and place not in self._passed
            self._member.end_attempt(shown=shown)
        if answer is None:
            return None
        if answer["passed"]:
            self._passed.add(place)
        if answer["run"] is not None:
            self._note_run(describe_result(answer["run"]))
        if answer["receipt"] is None:
            self._seen.faults[f"submission: not kept ({answer['not_kept']})"] += 1
        return bool(answer["passed"])

    def _note_run(self, run: RunSeen) -> None:
        self._seen.queued_seconds.append(run.queued_seconds)
        self._seen.run_seconds.append(run.run_seconds)

    async def _open(self, path: str) -> bool:
        """Open a page and return whether it was loaded."""
        return await self._persist(lambda: self._visitor.open_page(path), self._seen.waits[PAGE]) is not None

    async def _persist(self, ask: Callable[[], Awaitable[Any]], waits: list[float] | None = None) -> Any:
        return await persist(ask, self._seen, waits)

    @property
    def _now(self) -> float:
        return self._clock() - self._begin

    def _is_over(self) -> bool:
        return self._now >= self._pace.seconds

    async def _wait_until(self, moment: float) -> None:
        """Sleep until `moment`, in seconds since the class began, but not longer than until the class ends."""
        await asyncio.sleep(max(0.0, min(moment, self._pace.seconds) - self._now))
