"""Claims on Idempotency-Keys that are valid in all web processes of a PostgreSQL database.

A claim is an advisory lock of this process's session, so it ends with the process. A request that waits for another process's claim is
notified of its end, and also tries each second. The caller then looks for the stored attempt. If there is no session at the moment, a claim
holds only in this process; the unique constraint on attempts prevents a second attempt in any case.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from app.classroom.store.learner_lock import lock_key
from app.classroom.store.postgres.postgres_session import PostgresSession, SessionLock, SessionLost
from app.web.storing.claimed_keys import Claim, ClaimedKeys, Key

CHANNEL = "gradroom_key"
ASKING_SECONDS = 1.0


class SharedKeys:
    """The claims of this web process. They exclude claims of the other web processes."""

    def __init__(self, session: PostgresSession) -> None:
        self._session, self._own = session, ClaimedKeys()
        self._waiting: dict[int, asyncio.Event] = {}
        session.listen(CHANNEL, self._wake)

    @asynccontextmanager
    async def claim(self, key: Key, asked: str) -> AsyncIterator[Claim]:
        """Yield the claim on a key, as `ClaimedKeys.claim` does. While another process grades a request with the key, this waits."""
        async with self._own.claim(key, asked) as claim:
            if claim.answer is not None:
                yield claim
                return
            lock = await self._acquire(lock_key(f"idempotency key {key.learner} {key.lesson} {key.exercise} {key.key}"))
            try:
                yield claim
            finally:
                if lock:
                    self._session.unlock(lock, CHANNEL)

    async def _acquire(self, number: int) -> SessionLock | None:
        """Wait for a lock, and return it. Return None if the session is lost."""
        ended = self._waiting[number] = asyncio.Event()
        try:
            while True:
                ended.clear()
                if lock := await self._session.try_lock(number):
                    return lock
                with suppress(TimeoutError):
                    async with asyncio.timeout(ASKING_SECONDS):
                        await ended.wait()
        except SessionLost:
            return None
        finally:
            del self._waiting[number]

    def _wake(self, payload: str) -> None:
        """Make the requests that wait for the lock numbered `payload` try again, or all requests if it is empty."""
        for number, ended in self._waiting.items():
            if payload in ("", str(number)):
                ended.set()
