"""Shortens the records of backward passes, because a run whose records are too large together is ended. Runs in the child."""

import math
from collections.abc import Iterator

from app.protocol.limits import MEBIBYTE
from app.protocol.records.registry import encode_record
from app.protocol.records.replay import Gradient, ReplayRecord

REPLAY_BYTES = 3 * MEBIBYTE // 2  # the most bytes of all backward passes
SAVED_BYTES = MEBIBYTE // 2  # the most bytes of all that calls saved
ENTRIES = (64, 16, 4, 1, 0)  # the most entries of a gradient; the later numbers are used if the record is still too large


def shorten(replays: list[ReplayRecord], most_bytes: int) -> None:
    """Shorten the longest of the records until all together have no more than `most_bytes`.

    At first the gradients of a record lose their entries, the largest gradients first. Then the record loses its last steps.
    """
    for place, replay in enumerate(sorted(replays, key=lambda each: len(encode_record(each)))):
        share = most_bytes // (len(replays) - place)
        for most_entries in ENTRIES:
            if len(encode_record(replay)) > share:
                leave_out_entries(replay, most_entries)
        while replay.steps and (size := len(encode_record(replay))) > share:
            del replay.steps[len(replay.steps) * share // (size + 1) :]
            replay.note = "steps"
        most_bytes -= len(encode_record(replay))


def leave_out_entries(replay: ReplayRecord, most: int) -> None:
    """Leave out the entries of gradients that have more than `most`."""
    for gradient in gradients_of(replay):
        if gradient.values is not None and math.prod(gradient.shape or ()) > most:
            gradient.values, replay.note = None, replay.note or "entries"


def gradients_of(replay: ReplayRecord) -> Iterator[Gradient]:
    for step in replay.steps:
        for gradient in (*step.received, *(each.gradient for each in step.sent), step.grad):
            if gradient is not None:
                yield gradient
    yield from (result.gradient for result in replay.results if result.gradient is not None)
