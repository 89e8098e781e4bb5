"""Answers to predictions, submissions and requests for a solution, given in the browser's stead by Playwright: what the page does with them."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route

RESULT: dict[str, Any] = {
    "id": "r1", "outcome": "finished", "error": None, "stdout": "x.grad: tensor([2., 4., 6.])\n", "stderr": "", "stdout_truncated": False,
    "stderr_truncated": False, "displays": [], "functions": [], "diagnoses": [], "timing": {"queued_ms": 0, "run_ms": 8, "total_ms": 12},
    "seed": 0, "runtime": "torch", "versions": {}, "lang": "en",
}  # fmt: skip
VALUES = {"id": "values", "title": "The values are right", "passed": True, "message": None}
GRADIENT = {"id": "gradient", "title": "The gradient is right", "passed": True, "message": None}
WRONG = {**GRADIENT, "passed": False, "message": "At x = 1.5 the gradient is 2, not 3."}
MISTAKE = {"id": "forgot-chain", "html": "<p>The factor <code>2</code> is the derivative of <code>2x</code>. Differentiate <code>x²</code>.</p>"}


def submission(*checks: dict[str, Any], hidden: tuple[int, int] = (0, 2), **fields: Any) -> dict[str, Any]:
    passed = all(check["passed"] for check in checks) and hidden[0] == hidden[1]
    counts = {"passed": hidden[0], "total": hidden[1]}
    return {"passed": passed, "checks": list(checks), "hidden": counts, "run": RESULT, "mistake": None, "receipt": None, **fields}


def stream(*events: tuple[str, Any]) -> str:
    return "".join(f"id: {number}\nevent: {name}\ndata: {json.dumps(data)}\n\n" for number, (name, data) in enumerate(events))


class ScriptedApi:
    """`asked`: bodies, in order. What `judge` gives is the outcome of a submission; an exception is a connection that breaks."""

    def __init__(self, page: Page) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.answers: dict[str, Any] = {"grad": 2, "value": 2.718, "shape": [2, 3], "verdict": "fails", "line": 3, "box": "grad_x", "nodes": 5}
        self.submissions: list[dict[str, Any] | None] = []
        page.route("**/api/lessons/*/*/predictions/*", self._once(self._predict))
        page.route("**/api/lessons/*/*/exercises/*/submissions", self._once(self._grade))
        page.route("**/api/lessons/*/*/exercises/*/solution", lambda route: route.fulfill(json={"source": "import torch\n\nanswer = 42\n"}))

    def _once(self, answer: Callable[[Route], str | None]) -> Callable[[Route], None]:
        def fulfil(route: Route) -> None:
            body = answer(route)
            if body is None:
                route.abort("connectionreset")
            else:
                route.fulfill(body=body, headers={"content-type": "text/event-stream", "x-run-id": "r1"})

        return fulfil

    def _predict(self, route: Route) -> str:
        name = route.request.url.rsplit("/", 1)[1]
        asked = route.request.post_data_json
        self.asked.append(asked)
        right = None if asked["answer"] is None else asked["answer"] == self.answers[name]
        chinese = asked["lang"] == "zh-Hans"
        words = "<p>x² 的导数是 2x。</p>" if chinese else "<p>The derivative of <code>x²</code> is <code>2x</code>, and <code>sum</code> passes on ones.</p>"
        told = {"right": right, "answer": self.answers[name], "explanation": words, "run": RESULT}
        return stream(("started", {"id": "r1"}), ("stdout", {"text": RESULT["stdout"]}), ("result", RESULT), ("prediction", told))

    def _grade(self, route: Route) -> str | None:
        self.asked.append(route.request.post_data_json)
        self.keys.append(route.request.headers["idempotency-key"])
        outcome = self.submissions.pop(0) if self.submissions else submission(VALUES, GRADIENT, hidden=(2, 2))
        if outcome is None:
            return stream(("started", {"id": "r1"}))  # and then nothing: the stream breaks off
        return stream(("started", {"id": "r1"}), ("result", RESULT), *(("check", check) for check in outcome["checks"]), ("submission", outcome))
