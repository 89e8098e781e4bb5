"""Finds the piece of source that recorded each node of autograd. Runs in the child.

Autograd counts the nodes that a thread records. The trace function reads that count before each instruction of the learner's code: new
nodes belong to the instruction before.
"""

from bisect import bisect_right
from types import CodeType, FrameType

import torch

from app.protocol.records.record import Span
from app.runtimes.positions import Sources

_count_nodes = torch._C._autograd._get_sequence_nr
_Place = tuple[CodeType, int]  # an instruction: a code object, and the offset in it


class NodeLines:
    """Identifies nodes by their number in the order in which autograd recorded them, as app.runtimes.torch.identities does."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._count = _count_nodes()
        self._place: _Place | None = None
        # of each series of nodes that one instruction recorded: the first number, the one after the last, and the instruction
        self._series: list[tuple[int, int, _Place | None]] = []

    def step(self, code: CodeType, instruction: int) -> None:
        """Record that an instruction of the learner's code is about to be executed."""
        self.flush()
        self._place = code, instruction

    def flush(self) -> None:
        """Assign the nodes that are new to the instruction that was executed last."""
        count = _count_nodes()
        if count != self._count:
            self._series.append((self._count, count, self._place))
            self._count = count

    def leave(self, frame: FrameType) -> None:
        """Record that a frame of the learner's code returns. Later nodes belong to the instruction that called it."""
        self.flush()
        caller = self._sources.frame_of(frame.f_back)
        self._place = (caller.f_code, caller.f_lasti) if caller is not None else None

    def stop(self) -> None:
        """Assign no instruction to the nodes that are recorded from now on."""
        self.flush()
        self._place = None

    def span_of(self, number: int | None) -> Span | None:
        """Return the piece of source that recorded the node of this number; None if that is not known, or the node has no number."""
        index = 0 if number is None else bisect_right(self._series, number, key=lambda series: series[0])
        if number is None or not index:
            return None
        _, end, place = self._series[index - 1]
        return self._sources.span_of(*place) if place is not None and number < end else None
