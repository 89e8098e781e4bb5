"""The boards that people are viewing. A web process reads the board of a class once for all its viewers.

    a notice about the class, or ten seconds ──► BoardFeed reads the board ──► each BoardViewer compares it with what it has sent

Changes are not queued. A slow viewer gets fewer of them, and each has everything that differs by then. A feed ends with its last viewer.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import suppress

import msgspec
import structlog
from sqlalchemy import Connection

from app.classroom.classes.board.board_rows import Board, BoardRow, list_live_sessions, read_board
from app.classroom.classes.board.clusters import Cluster, find_clusters
from app.classroom.classes.board.failures import Failures
from app.classroom.classes.board.stuck_rule import StuckLimits
from app.classroom.classes.class_notices import NOTICE
from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.notices import Notices
from app.classroom.store.times import now_ms

BETWEEN_SECONDS = 0.5  # between two readings of a board
READ_SECONDS = 10.0  # between two readings without a notice, because some rows change with time alone
RETRY_SECONDS = 2.0  # until the next reading, if the store could not be read
MOST_VIEWERS = 64  # of a class in one web process

log = structlog.get_logger()


class BoardChange(msgspec.Struct, frozen=True, kw_only=True):
    """What has changed since the last change that a viewer got: rows, members who have left, and perhaps the clusters or the limits.

    `clusters` and `limits` are None if they are unchanged. `whole` says that this is the viewer's first change, which has all rows.
    """

    at_ms: int
    rows: list[BoardRow]
    gone: list[int]
    clusters: list[Cluster] | None
    limits: StuckLimits | None
    whole: bool


class BoardEnded(Exception):
    """The viewer may no longer see the board, or the class no longer exists."""


class BoardViewer:
    """A person who views a board in one of their sessions. `changes` iterates over what to send."""

    def __init__(self, feed: "BoardFeed", person_id: int, session_id: int) -> None:
        self.feed, self.person_id, self.session_id = feed, person_id, session_id
        self._changed = asyncio.Event()
        self._is_ended = False
        self._rows: dict[int, BoardRow] = {}
        self._clusters: list[Cluster] | None = None
        self._limits: StuckLimits | None = None

    def wake(self) -> None:
        """Look at the feed again."""
        self._changed.set()

    def end(self) -> None:
        """End the iteration, because the server shuts down."""
        self._is_ended = True
        self._changed.set()

    async def changes(self) -> AsyncGenerator[BoardChange | None, None]:
        """Iterate over the changes, the first of which has all rows. None means that the board cannot be read now.

        A change without rows says that no row had changed by the time `at_ms`. Raises BoardEnded.
        """
        while not self._is_ended:
            self._changed.clear()
            if self.feed.has_ended or (self.feed.board and not self.feed.may_see(self)):
                raise BoardEnded
            if self.feed.is_unreadable:
                yield None
            elif self.feed.board:
                yield self._compare(self.feed.board, self.feed.clusters)
            await self._changed.wait()

    def _compare(self, board: Board, clusters: list[Cluster]) -> BoardChange:
        change = BoardChange(
            at_ms=board.at_ms,
            rows=[row for member, row in board.rows.items() if self._rows.get(member) != row],
            gone=[member for member in self._rows if member not in board.rows],
            clusters=clusters if clusters != self._clusters else None,
            limits=board.limits if board.limits != self._limits else None,
            whole=self._limits is None,
        )
        self._rows, self._clusters, self._limits = board.rows, clusters, board.limits
        return change


class BoardFeed:
    """The latest reading of the board of one class. The board is read while there are viewers."""

    def __init__(self, database: Database, class_id: int, failures: Failures) -> None:
        self._database, self._class_id, self._failures = database, class_id, failures
        self._heard = asyncio.Event()
        self._live_sessions: set[int] = set()
        self._checked: set[BoardViewer] = set()  # viewers whose sessions the last reading looked up
        self._reading: asyncio.Task[None] | None = None
        self.viewers: set[BoardViewer] = set()
        self.board: Board | None = None
        self.clusters: list[Cluster] = []
        self.is_unreadable = self.has_ended = False

    def hear(self) -> None:
        """Read the board soon, because something has changed."""
        self._heard.set()

    def may_see(self, viewer: BoardViewer) -> bool:
        """Return whether a viewer still teaches the class and is still signed in."""
        is_signed_in = viewer not in self._checked or viewer.session_id in self._live_sessions
        return self.board is not None and viewer.person_id in self.board.staff and is_signed_in

    def add(self, viewer: BoardViewer) -> None:
        """Add a viewer. Begin to read the board if it is the first."""
        self.viewers.add(viewer)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_regularly())

    def remove(self, viewer: BoardViewer) -> None:
        """Remove a viewer. Stop reading the board if it was the last."""
        self.viewers.discard(viewer)
        if not self.viewers and self._reading:
            self._reading.cancel()
            self._reading = None

    async def _read_regularly(self) -> None:
        loop = asyncio.get_running_loop()
        while not self.has_ended:
            self._heard.clear()
            began = loop.time()
            await self._read()
            for viewer in self.viewers:
                viewer.wake()
            with suppress(TimeoutError):
                async with asyncio.timeout(RETRY_SECONDS if self.is_unreadable else READ_SECONDS):
                    await self._heard.wait()
            await asyncio.sleep(began + BETWEEN_SECONDS - loop.time())

    async def _read(self) -> None:
        viewers = set(self.viewers)
        sessions = {one.session_id for one in viewers}
        try:
            board, live = await self._database.read(read_feed, self._class_id, self._failures, sessions)
        except StoreFault:  # the store has logged it
            self.is_unreadable = True
            return
        except Exception:  # a viewer must not wait for a task that has ended
            log.exception("board_failed", school_class=self._class_id)
            self.is_unreadable = True
            return
        self.is_unreadable = False
        self.has_ended = board is None
        self.board, self._live_sessions, self._checked = board, live, viewers
        self.clusters = find_clusters(board.rows.values()) if board else []


class BoardFeeds:
    """All feeds of this web process, by class. All boards share `failures`."""

    def __init__(self, database: Database, notices: Notices) -> None:
        self._database, self.failures = database, Failures()
        self._feeds: dict[int, BoardFeed] = {}
        notices.subscribe(NOTICE, self._hear)

    def has_room(self, class_id: int) -> bool:
        """Return whether the board of a class may have one more viewer."""
        return class_id not in self._feeds or len(self._feeds[class_id].viewers) < MOST_VIEWERS

    def open(self, class_id: int, person_id: int, session_id: int) -> BoardViewer:
        """Return a new viewer of a board. The caller must pass it to `close`."""
        feed = self._feeds.get(class_id)
        if feed is None or feed.has_ended:
            feed = self._feeds[class_id] = BoardFeed(self._database, class_id, self.failures)
        viewer = BoardViewer(feed, person_id, session_id)
        feed.add(viewer)
        return viewer

    def close(self, class_id: int, viewer: BoardViewer) -> None:
        """Remove a viewer, and its feed if it was the last of the class."""
        feed = viewer.feed
        feed.remove(viewer)
        if not feed.viewers and self._feeds.get(class_id) is feed:
            del self._feeds[class_id]

    def _hear(self, body: str) -> None:
        feed = self._feeds.get(int(body))
        if feed:
            feed.hear()


def read_feed(connection: Connection, class_id: int, failures: Failures, sessions: Iterable[int]) -> tuple[Board | None, set[int]]:
    """Return the board of a class, or None if there is no such class, and those of `sessions` that have not ended."""
    at_ms = now_ms()
    return read_board(connection, class_id, failures, at_ms), list_live_sessions(connection, sessions, at_ms)
