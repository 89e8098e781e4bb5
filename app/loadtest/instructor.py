"""A simulated instructor, who has the board of the class open. app.loadtest.board_delays measures when it shows changes."""

import asyncio
import secrets
from typing import Any
from urllib.parse import urlsplit

import msgspec

from app.loadtest.board_delays import BoardDelays, SeenBoard
from app.loadtest.report import BOARD_PAGE, Observations
from app.loadtest.visitor import Visitor, persist


class SimulatedInstructor:
    """An instructor of the class."""

    def __init__(self, visitor: Visitor, seen: Observations, delays: BoardDelays) -> None:
        self._visitor, self._seen, self._delays = visitor, seen, delays
        self._clock = asyncio.get_running_loop().time
        self._class_id = 0

    async def sign_in(self, link: str) -> None:
        """Sign in with a link that works once, of which only the path is used, and choose a random password.

        Raises TurnedAway and Unserved.
        """
        page = await self._visitor.open_page(urlsplit(link).path)
        await self._visitor.post_form(page.url.path, {"password": secrets.token_urlsafe(24)})

    async def open_board(self, class_id: int) -> None:
        """Open the board. Raises TurnedAway, and Unserved if the instructor does not teach this class."""
        start = self._clock()
        await self._visitor.open_page(f"/en/teach/{class_id}")
        self._seen.waits[BOARD_PAGE].append(self._clock() - start)
        self._class_id = class_id

    async def watch_board(self) -> None:
        """Follow the board until this is cancelled or the server sends the event `ended`, which is recorded as an error."""
        address = f"/api/classes/{self._class_id}/board/events"
        await persist(lambda: self._visitor.follow(address, "ended", self._note_event), self._seen)

    def _note_event(self, event: str, data: Any) -> None:
        if event == "board":
            self._delays.show(msgspec.convert(data, SeenBoard).rows)
        else:  # the board cannot be read now, or the instructor may no longer see it
            self._seen.faults[f"board: {event}"] += 1
