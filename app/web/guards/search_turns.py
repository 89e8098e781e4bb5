"""Runs searches one at a time, so that pages and runs need not wait for them."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from app.protocol.run import Lang
from app.search.query import parse_query
from app.search.search import Search, SearchResult
from app.web.guards.principal import Principal
from app.web.guards.rates import TooOften

MOST_WAITING = 40  # searches: the last one is answered after about a second
MOST_WAITING_PER_LEARNER = 8  # each change of the typed text starts a search, and earlier ones are answered, too
RETRY_SECONDS = 2


class SearchTurns:
    """Searches in a single thread.

    With several threads, searches and everything else in this process would take several times as long, because the threads would compete
    for the interpreter's lock.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self._thread = ThreadPoolExecutor(1, "search")
        self._waiting: Counter[str] = Counter()

    async def prepare(self) -> None:
        """Make the index, so that the first search need not wait for it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._search.prepare)

    async def find(self, typed: str, lang: Lang, limit: int, principal: Principal) -> tuple[str, Sequence[SearchResult]]:
        """Return the part of `typed` that is used, and the best places for it. Raises TooOften if too many searches are waiting."""
        if not typed.strip():
            return "", []
        asker = principal.counts_as
        if self._waiting.total() >= MOST_WAITING or self._waiting[asker] >= MOST_WAITING_PER_LEARNER:
            raise TooOften("searches", RETRY_SECONDS)
        self._waiting[asker] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._find, typed, lang, limit)
        finally:
            self._waiting[asker] -= 1
            self._waiting += Counter()  # removes learners for whom no search waits

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)

    def _find(self, typed: str, lang: Lang, limit: int) -> tuple[str, Sequence[SearchResult]]:
        text = parse_query(typed).text
        return text, self._search.find(text, lang, limit) if text else []
