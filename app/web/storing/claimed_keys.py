"""The Idempotency-Keys of submissions that are being graded now. The keys and answers of earlier submissions are in the store.

A key belongs to a learner and an exercise. Of several concurrent requests with the same key, one is graded and the others wait for its
answer. If its client leaves or a fault of ours ends it, the next request is graded.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Key:
    learner: str
    lesson: str
    exercise: str
    key: str


@dataclass(frozen=True)
class FirstAnswer:
    """The answer to the first request with a key, as JSON, and the id of that request's run."""

    run_id: str
    data: bytes


class AskedOtherwise(Exception):
    """A request with the same key and another source or seed is being graded."""


@dataclass(eq=False)
class Claim:
    """The use of a key. `asked` identifies the submitted source and seed. `answer` is None until the submission is graded."""

    asked: str
    answer: FirstAnswer | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    def settle(self, answer: FirstAnswer) -> None:
        """Give the answer to the requests that wait for it."""
        self.answer = answer
        self.settled.set()


class KeyClaims(Protocol):
    """The claims on keys: of one web process, or of all (app.web.storing.shared_keys)."""

    def claim(self, key: Key, asked: str) -> AbstractAsyncContextManager[Claim]: ...


class ClaimedKeys:
    """The claims of one web process."""

    def __init__(self) -> None:
        self._claims: dict[Key, Claim] = {}

    @asynccontextmanager
    async def claim(self, key: Key, asked: str) -> AsyncIterator[Claim]:
        """Yield the claim on a key. If the claim has no answer, the caller must grade the submission and call `settle` in this context.

        `asked` identifies the source and seed. While another request with the key is being graded, this waits. Raises
        AskedOtherwise.
        """
        while (claim := self._claims.get(key)) is not None:
            if claim.asked != asked:
                raise AskedOtherwise
            await claim.settled.wait()
            if claim.answer is not None:
                yield claim
                return
        claim = self._claims[key] = Claim(asked)
        try:
            yield claim
        finally:
            del self._claims[key]
            claim.settled.set()
