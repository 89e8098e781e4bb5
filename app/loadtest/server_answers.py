"""Interprets the server's answers as the page does: events, results, refusals and errors.

TurnedAway    refused for now: 429, 503 with the code `unavailable`, or no connection
Unserved      any other failure
"""

import json
import re
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import httpx

MOST_WORDS = 500
KINDS = {
    "runs": "run", "submissions": "submission", "solution": "solution", "predictions": "prediction", "drafts": "draft", "hand": "hand",
    "class-events": "learner's stream", "board": "board",
}  # fmt: skip
BLOCK_END = re.compile(rb"\r?\n\r?\n")


class TurnedAway(Exception):
    """The server refused a request for now. The request may be sent again after `seconds`; 0 means that the server named no time."""

    def __init__(self, reason: str, seconds: float = 0.0) -> None:
        super().__init__(reason)
        self.seconds = seconds


class Unserved(Exception):
    """A request failed, the learner sees an error, and sending it again would not help."""


class RunSeen(NamedTuple):
    """The result of a run, from the event `result`."""

    outcome: str
    error_type: str | None
    queued_seconds: float
    run_seconds: float


async def read_events(answer: httpx.Response) -> AsyncIterator[tuple[str, Any]]:
    """Yield the name and data of each server-sent event, as soon as the event is complete."""
    waiting = b""
    async for part in answer.aiter_bytes():
        *blocks, waiting = BLOCK_END.split(waiting + part)
        for block in blocks:
            fields = dict(line.split(b":", 1) for line in block.splitlines() if b":" in line[1:])
            if b"data" in fields:
                yield fields.get(b"event", b"").strip().decode(), json.loads(fields[b"data"])


def describe_result(result: dict[str, Any]) -> RunSeen:
    timing, error = result["timing"], result["error"] or {}
    return RunSeen(result["outcome"], error.get("type"), timing["queued_ms"] / 1000, timing["run_ms"] / 1000)


def check_status(answer: httpx.Response, path: str) -> None:
    """Raise TurnedAway for a refusal after which the page asks again, and Unserved for any other failure."""
    if answer.is_success:
        return
    code, reason = error_of(answer)
    seconds = answer.headers.get("retry-after", "")
    words = " ".join(word for word in (str(answer.status_code), code, f"({reason})" if reason else "") if word)
    kind = kind_of(path)
    if answer.status_code == 429 or (answer.status_code == 503 and (code == "unavailable" or kind == "page")):
        raise TurnedAway(f"{kind}: {words}", float(seconds) if seconds.isdigit() else 0.0)
    raise Unserved(f"{kind}: {words}")


def kind_of(path: str) -> str:
    """Return what a request was for: "page", or what a learner did."""
    if not path.startswith("/api/") or (path.startswith("/api/lessons") and path.count("/") <= 4):
        return "page"
    parts = path.partition("?")[0].split("/")
    return next((kind for part, kind in KINDS.items() if part in parts), "page")


def words_of(answer: httpx.Response) -> str:
    """Return the message of an API error. If the answer is none, return the beginning of its text."""
    try:
        return str(answer.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return answer.text.strip()[:MOST_WORDS]


def error_of(answer: httpx.Response) -> tuple[str, str]:
    """Return the code and the reason of an API error; each is "" if the answer has none."""
    try:
        error = answer.json()["error"]
        return str(error["code"]), str(error.get("reason") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", ""
