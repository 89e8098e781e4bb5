"""A learner of a class in containers, who saves a text and submits a program, and reads what is stored."""

import ssl
from typing import Any

import httpx

from tests.container.options import ROOT

LESSON = "autograd/backward"
EXERCISE = "slope"
DRAFT = f"/api/me/drafts/{LESSON}/exercise_{EXERCISE}"
SOLUTION = (ROOT / "lessons" / LESSON / "exercises" / EXERCISE / "solution.py").read_text()


class ClassLearner:
    """A browser with a cookie of its own, which the first page gives it."""

    def __init__(self, origin: str, trust: ssl.SSLContext) -> None:
        self._client = httpx.Client(base_url=origin, verify=trust, timeout=90, trust_env=False)
        self._ask("GET", "/en/")

    def save(self, source: str) -> None:
        """Save a text as the next version."""
        draft = self._ask("GET", DRAFT).json()["draft"]
        self._ask("PUT", DRAFT, json={"source": source, "version": draft["version"] if draft else 0})

    def submit(self) -> None:
        """Submit the solution, and assert that it passes and has a receipt."""
        answer = self._ask("POST", f"/api/lessons/{LESSON}/exercises/{EXERCISE}/submissions", json={"source": SOLUTION}).json()
        assert answer["passed"] and answer["receipt"], answer

    def read_work(self) -> Any:
        """Return the text with its earlier versions, and the submissions with their receipts, as the API has them."""
        exercise = {"exercise": f"{LESSON}/{EXERCISE}"}
        return self._ask("GET", DRAFT).json(), self._ask("GET", "/api/me/attempts", params=exercise).json()

    def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._client.request(method, path, **more).raise_for_status()
