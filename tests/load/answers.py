"""Records a server's answers to requests of several kinds: how long each took, and why others were not served."""

import re
import time
from collections import Counter, defaultdict
from typing import Any

from tests.bench.client import Client, UnexpectedAnswer
from tests.bench.figures import summarise

WHY = re.compile(r'"(?:code|reason)": ?"(\w+)"')  # the reason of a refusal, in the body of an answer


class Answers:
    """Makes requests, and counts the answers."""

    def __init__(self) -> None:
        self._samples_ms: defaultdict[str, list[float]] = defaultdict(list)
        self._refused: defaultdict[str, Counter[str]] = defaultdict(Counter)

    async def ask(self, kind: str, client: Client, method: str, path: str, body: bytes = b"") -> bytes | None:
        """Return the answer; None if the request was not served."""
        start = time.perf_counter()
        try:
            answer = await ask_as_browser(client, method, path, body)
        except UnexpectedAnswer as error:
            self.count_refused(kind, " ".join([f"status {error.status}", *WHY.findall(str(error))]))
            return None
        except (OSError, EOFError) as error:
            self.count_refused(kind, type(error).__name__)
            return None
        self.count_served(kind, start)
        return answer

    def count_served(self, kind: str, start: float) -> None:
        """Count a request that was served. `start`: its beginning, from time.perf_counter."""
        self._samples_ms[kind].append((time.perf_counter() - start) * 1000)

    def count_refused(self, kind: str, reason: str) -> None:
        self._refused[kind][reason] += 1

    def figures(self) -> dict[str, dict[str, Any]]:
        """Return the figures by kind."""
        kinds = [*self._samples_ms, *(kind for kind in self._refused if kind not in self._samples_ms)]
        return {kind: self._times(kind) | {"refused": dict(self._refused[kind])} for kind in kinds}

    def _times(self, kind: str) -> dict[str, float | int]:
        samples_ms = self._samples_ms.get(kind)
        return summarise(samples_ms) | {"max_ms": round(max(samples_ms), 2)} if samples_ms else {}


async def ask_as_browser(client: Client, method: str, path: str, body: bytes) -> bytes:
    """Make a request, and repeat it on a new connection if the persistent one was closed. Raises UnexpectedAnswer, OSError and EOFError."""
    try:
        return await client.ask(method, path, body)
    except ConnectionError:
        return await client.ask(method, path, body)
