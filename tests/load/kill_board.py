"""The board of a class, open while processes are killed. Does it show what the server confirmed to the members, and how soon after a kill?

A board is compared with what was confirmed before the server began to read it.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence

import httpx
import msgspec

from app.loadtest.server_answers import read_events
from tests.bench.server import Server
from tests.load.kill_class import HAND, JOINED, OpenClass
from tests.load.kill_learners import OWN_PAGE, connect, now
from tests.load.kill_recovery import Works

SILENCE_SECONDS = 25.0  # on the stream, after which it is opened again. This and the pauses are those of the page
PAUSE_SECONDS = (0.5, 1, 2, 3)
LOOK_SECONDS = 0.1


class ShownRow(msgspec.Struct, frozen=True):
    member: int
    name: str
    hand: bool = False
    tries: int = 0


class ShownBoard(msgspec.Struct, frozen=True):
    """A board, or what has changed of it. `at` is when the server began to read it, in ms."""

    at: int
    rows: list[ShownRow]
    whole: bool = False


def find_disagreements(rows: Sequence[ShownRow], at_ms: int, shown: OpenClass) -> list[str]:
    """Return how rows that were read at a time contradict what was confirmed before."""
    times, by_name = Counter(row.name for row in rows), {row.name: row for row in rows}
    wrong = [f"{name} is shown {number} times" for name, number in times.items() if number > 1]
    for (name, what), (value, since_ms) in shown.confirmed.items():
        row = by_name.get(name)
        if since_ms < at_ms and (row is None or (what != JOINED and getattr(row, what) != value)):
            wrong.append(f"{what} of {name} was {value} for {at_ms - since_ms} ms, but is shown as {row}")
    return wrong


class WatchedBoard:
    """A board, whose stream an instructor's page follows.

    `of` is its class, and `wrong` has how boards contradicted what was confirmed.
    """

    def __init__(self, server: Server, of: OpenClass) -> None:
        self._server, self.of = server, of
        self._address = f"/api/classes/{of.id}/board"
        self._cookies = httpx.Cookies()
        self._rows: dict[int, ShownRow] = {}
        self._right_at = 0.0  # when the last event came, in the seconds of `now`. 0: it was wrong, or the stream is lost
        self._losses = self._compared = 0
        self.wrong: list[str] = []

    async def sign_in(self) -> None:
        async with connect(self._server, SILENCE_SECONDS) as client:
            answer = await client.post(self.of.sign_in, data={"password": "correct horse battery"}, headers=OWN_PAGE)
            assert answer.has_redirect_location, answer.text
            self._cookies = client.cookies

    async def follow(self) -> None:
        """Follow the stream until cancelled, and open it again as the page does."""
        losses = 0  # since the last event
        while True:
            try:
                async with connect(self._server, SILENCE_SECONDS) as client:
                    client.cookies = self._cookies
                    async with client.stream("GET", f"{self._address}/events", headers={"accept": "text/event-stream"}) as answer:
                        async for event, data in read_events(answer):
                            losses = 0
                            self._receive(event, data)
            except httpx.TransportError:
                pass
            self._right_at = 0.0
            self._losses += 1
            await asyncio.sleep(PAUSE_SECONDS[min(losses, len(PAUSE_SECONDS) - 1)])
            losses += 1

    def works(self, killed: float) -> dict[str, Works]:
        """Return by kind what has to be right after a kill: the board if it is opened now, and the one that is open."""

        async def is_stream_right(_: httpx.AsyncClient) -> bool:
            await asyncio.sleep(LOOK_SECONDS)
            return self._right_at > killed

        return {"board": self.is_right, "stream": is_stream_right}

    async def is_right(self, client: httpx.AsyncClient) -> bool:
        """Open the board, and return whether that succeeded and all is right."""
        client.cookies = self._cookies
        answer = await client.get(self._address)
        return answer.status_code == 200 and self._compare(msgspec.json.decode(answer.content, type=ShownBoard))

    async def look_once(self) -> None:
        """Open the board when nothing changes any more."""
        async with connect(self._server, SILENCE_SECONDS) as client:
            if not await self.is_right(client):
                self.wrong.append("the board is wrong at the end, or cannot be opened")

    def count(self) -> dict[str, int]:
        """Return the members, the hands that are raised, the boards that were compared, and how often the stream was lost."""
        facts = Counter[str]()
        for (_, what), (value, _) in self.of.confirmed.items():
            facts[what] += value
        return {"members": facts[JOINED], "hands": facts[HAND], "boards_compared": self._compared, "stream_lost": self._losses}

    def _receive(self, event: str, data: object) -> None:
        is_right = False
        if event == "board":
            board = msgspec.convert(data, ShownBoard)
            self._rows = ({} if board.whole else self._rows) | {row.member: row for row in board.rows}
            is_right = self._compare(ShownBoard(board.at, list(self._rows.values())))
        self._right_at = now() if is_right else 0.0

    def _compare(self, board: ShownBoard) -> bool:
        self._compared += 1
        wrong = find_disagreements(board.rows, board.at, self.of)
        self.wrong += wrong
        return not wrong
