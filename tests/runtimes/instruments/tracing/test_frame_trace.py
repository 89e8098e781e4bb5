"""A frame trace sees frames begin and end, and never harms the program that it traces."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from app.runtimes.instruments.tracing import frame_trace
from app.runtimes.instruments.tracing.frame_trace import FrameTrace, WhenFrameBegins


def square(x: float) -> float:
    if x < 0:
        raise ValueError
    return x * x


def traced(begin: WhenFrameBegins, program: Callable[[], Any]) -> FrameTrace:
    trace = FrameTrace({square.__code__: begin})
    before = sys.gettrace()
    trace.start()
    try:
        program()
    finally:
        trace.stop()
        sys.settrace(before)
    return trace


def test_a_watched_frame_is_seen_with_its_arguments_and_whether_it_raised() -> None:
    seen: list[tuple[float, bool]] = []

    def begin(frame: FrameType) -> frame_trace.WhenFrameEnds:
        return lambda frame, _, raised: seen.append((frame.f_locals["x"], raised))

    def program() -> None:
        square(2.0)
        with pytest.raises(ValueError):
            square(-1.0)

    trace = traced(begin, program)
    assert seen == [(2.0, False), (-1.0, True)]
    assert (trace.exhausted, trace.faults) == (False, [])


def test_a_fault_of_ours_ends_the_trace_and_not_the_program() -> None:
    def begin(_: FrameType) -> None:
        raise KeyError("ours")

    results: list[float] = []
    trace = traced(begin, lambda: results.extend([square(2.0), square(3.0)]))
    assert results == [4.0, 9.0]
    assert trace.exhausted
    assert [type(fault) for fault in trace.faults] == [KeyError]


def test_where_there_is_no_room_for_our_calls_the_trace_ends_without_a_fault() -> None:
    def begin(_: FrameType) -> None:
        raise RecursionError

    trace = traced(begin, lambda: square(2.0))
    assert (trace.exhausted, trace.faults) == (True, [])


def test_after_a_fixed_number_of_frames_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_trace, "FRAMES", 10)
    seen: list[FrameType] = []

    def program() -> None:
        for _ in range(20):
            len(str.__name__)
            (lambda: None)()
        square(2.0)

    trace = traced(lambda frame: seen.append(frame), program)
    assert trace.exhausted
    assert not seen


def test_a_tracer_of_the_program_stays() -> None:
    def own(frame: FrameType, event: str, arg: Any) -> None:
        return None

    trace = FrameTrace({})
    before = sys.gettrace()
    try:
        trace.start()
        sys.settrace(own)
        trace.stop()
        assert sys.gettrace() is own
        assert trace.exhausted
    finally:
        sys.settrace(before)
