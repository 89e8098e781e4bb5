"""The events of a run, in the order they happen. The runner streams them to web, web to the browser."""

import msgspec

from app.protocol.display import Display
from app.protocol.run import Diagnosis, RunResult


class Queued(msgspec.Struct, tag_field="event", tag="queued"):
    id: str
    position: int  # from 1; how many runs start before this one, this one included


class Started(msgspec.Struct, tag_field="event", tag="started"):
    id: str


class Stdout(msgspec.Struct, tag_field="event", tag="stdout"):
    text: str


class Stderr(msgspec.Struct, tag_field="event", tag="stderr"):
    text: str


class Displayed(msgspec.Struct, tag_field="event", tag="display"):
    display: Display


class Diagnosed(msgspec.Struct, tag_field="event", tag="diagnosis"):
    diagnosis: Diagnosis


class Ended(msgspec.Struct, tag_field="event", tag="result"):
    result: RunResult


class Failed(msgspec.Struct, tag_field="event", tag="error"):
    """The fault is ours. `code` is one of unavailable, overloaded, internal."""

    code: str
    message: str


RunEvent = Queued | Started | Stdout | Stderr | Displayed | Diagnosed | Ended | Failed
