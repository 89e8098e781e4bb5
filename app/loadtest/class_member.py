"""A simulated learner as a member of a class, who joins by its code, follows a learner's stream, and raises and lowers a hand."""

import asyncio
import re
from urllib.parse import quote

from app.loadtest.board_delays import BoardDelays
from app.loadtest.coursework import TaskExercise, TaskLesson
from app.loadtest.report import BOARD_ATTEMPT, BOARD_HAND, HAND, JOINED, Observations
from app.loadtest.server_answers import Unserved
from app.loadtest.visitor import Visitor, persist

CLASS_PAGE = re.compile(r"/en/class/(\d+)")
OPEN_LESSON = re.compile(r'data-lesson="([^"]+)"')
TRIES = (1, 1, 2, 3, 5)  # how many wrong programs each of five learners submits
HAND_TRIES = 3
ASKS_NUMBER = 'name="number"'


class ClassMember:
    """The learner with the number `number` in a class. `mark` makes the names different from all others in the class.

    `tries` is how many wrong programs the learner submits to each exercise, and `asks_help` says whether they raise a hand after the first.
    After `join`, `lessons` are the lessons that are open.
    """

    def __init__(self, visitor: Visitor, code: str, number: int, mark: str, seen: Observations, delays: BoardDelays) -> None:
        self._visitor, self._seen, self._delays = visitor, seen, delays
        self._join_page, self._name, self._number = f"/en/join/{quote(code, safe='')}", f"Learner {number} of {mark}", f"{mark}-{number}"
        self._clock = asyncio.get_running_loop().time
        self._following: asyncio.Task[None] | None = None
        self._raised = False
        self.tries = TRIES[number % len(TRIES)]
        self.asks_help = self.tries >= HAND_TRIES
        self.class_id = 0
        self.lessons: frozenset[str] = frozenset()

    async def join(self) -> None:
        """Join unless the learner has joined already, and open the page of the class. Raises TurnedAway and Unserved."""
        start = self._clock()
        page = await self._visitor.open_page(self._join_page)
        if not CLASS_PAGE.fullmatch(page.url.path):
            number = {"number": self._number} if ASKS_NUMBER in page.text else {}
            await self._visitor.post_form(self._join_page, {"name": self._name, **number})
            page = await self._visitor.open_page(self._join_page)
            self._seen.waits[JOINED].append(self._clock() - start)
        found = CLASS_PAGE.fullmatch(page.url.path)
        if not found:
            raise Unserved("join: the learner is not in the class afterwards")
        self.class_id, self.lessons = int(found[1]), frozenset(OPEN_LESSON.findall(page.text))

    def look_at(self, lesson: TaskLesson) -> None:
        """Follow the stream that the page of a lesson follows, instead of an earlier page's stream."""
        self.close()
        path = f"/api/me/class-events?lesson={quote(lesson.path, safe='')}"
        self._following = asyncio.create_task(self._follow(path))

    def close(self) -> None:
        """Close the stream."""
        if self._following:
            self._following.cancel()

    async def raise_hand(self, lesson: TaskLesson, exercise: TaskExercise, *, shares: bool) -> None:
        self._raised = await self._change_hand("PUT", {"lesson": lesson.path, "exercise": exercise.id, "shares": shares, "lang": "en"})

    async def lower_hand(self) -> None:
        """Lower the hand if it is raised."""
        if self._raised:
            self._raised = not await self._change_hand("DELETE", {})

    def expect_attempt(self) -> None:
        """Record that the learner is about to make a submission that the board will show."""
        self._delays.expect(self._name, BOARD_ATTEMPT)

    def end_attempt(self, *, shown: bool) -> None:
        """Record that the answer to the submission has come. `shown` says whether the board will show it."""
        self._delays.end(self._name, BOARD_ATTEMPT, shown=shown)

    async def _change_hand(self, method: str, body: dict[str, object]) -> bool:
        """Raise or lower the hand, and return whether that succeeded."""
        self._delays.expect(self._name, BOARD_HAND)
        address = f"/api/me/classes/{self.class_id}/hand"
        changed = await persist(lambda: self._visitor.send(method, address, body), self._seen, self._seen.waits[HAND]) is not None
        self._delays.end(self._name, BOARD_HAND, shown=changed)
        return changed

    async def _follow(self, path: str) -> None:
        """Follow a stream until the server ends it in favour of others."""

        def note_event(event: str, _: object) -> None:
            if event == "give_way":
                self._seen.refusals["learner's stream: gave way"] += 1

        await persist(lambda: self._visitor.follow(path, "give_way", note_event), self._seen)
