"""The events of a run that its reader has not taken yet are encoded once, counted, and released once they are read or dropped."""

import asyncio
import tracemalloc
from collections.abc import AsyncIterator

import msgspec
import pytest

from app.protocol.event import Failed, RunEvent, Started, Stdout
from app.protocol.event_frame import encode_frame
from app.protocol.grading import CheckResult, Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult, Timing
from app.runner.event_stream import EventStream, decode_frame
from app.runner.runs.event_log import EventLog

CHECK = CheckResult(id="a", passed=True)
RECORD = msgspec.Raw(b'{"kind":"value","text":"' + b"x" * 200_000 + b'"}')


def result_of(log: EventLog) -> RunResult:
    timing = Timing(queued_ms=0.0, run_ms=0.0, total_ms=0.0)
    text = "".join(log.stdout)
    return RunResult(id="1", outcome=Outcome.FINISHED, stdout=text, records=list(log.records), timing=timing)


async def collect(pieces: AsyncIterator[bytes]) -> list[RunEvent]:
    return [await decode_frame(frame) async for frame in EventStream(pieces).frames()]


def read(log: EventLog) -> list[RunEvent]:
    return asyncio.run(collect(log.pieces()))


def test_a_reader_gets_every_event_and_a_result_with_the_records_that_were_sent() -> None:
    log = EventLog(lambda _: None)
    for event in (Started("1"), Stdout("one\n"), RECORD, Stdout("two\n")):
        log.add(event)
    log.end(result_of(log))
    *events, last = read(log)
    assert [type(event) for event in events] == [Started, Stdout, msgspec.Raw, Stdout]
    assert isinstance(last, RunResult)
    assert last.stdout == "one\ntwo\n"
    assert [bytes(record) for record in last.records] == [bytes(RECORD)]


def test_what_happened_before_the_reader_comes_is_one_piece_unless_it_is_large() -> None:
    log = EventLog(lambda _: None)
    for event in (Started("1"), Stdout("one\n"), RECORD, Stdout("two\n")):
        log.add(event)
    log.end(None)

    async def collect() -> list[bytes]:
        return [piece async for piece in log.pieces()]

    pieces = asyncio.run(collect())
    assert pieces[0] == encode_frame(Started("1")) + encode_frame(Stdout("one\n"))
    assert max(map(len, pieces)) <= 65_536
    assert pieces[-1].endswith(encode_frame(Stdout("two\n")))


def test_records_are_not_held_twice() -> None:
    log = EventLog(lambda _: None)
    tracemalloc.start()
    try:
        log.add(RECORD)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [bytes(record) for record in log.records] == [bytes(RECORD)]
    assert kept < 1.5 * len(bytes(RECORD))


def test_what_is_unread_is_counted_and_nothing_is_when_all_is_read() -> None:
    unread_bytes: list[int] = []
    log = EventLog(unread_bytes.append)
    log.add(RECORD)
    log.add(Stdout("one\n"))
    log.end(result_of(log))
    assert unread_bytes[-1] > len(bytes(RECORD))
    read(log)
    assert unread_bytes[-1] == 0


@pytest.mark.parametrize("read_between", [True, False])
def test_a_submission_goes_on_after_its_result_whose_records_are_let_go_of_when_it_is_taken(read_between: bool) -> None:
    unread_bytes: list[int] = []
    log = EventLog(unread_bytes.append)

    async def scenario() -> list[RunEvent]:
        log.add(RECORD)
        log.add(result_of(log))
        frames = EventStream(log.pieces()).frames()
        events: list[RunEvent] = []
        if read_between:
            events = [await decode_frame(await anext(frames)) for _ in range(2)]
        log.add(CHECK)
        if read_between:
            events.append(await decode_frame(await anext(frames)))
            assert not log.records
            assert unread_bytes[-1] == len(encode_frame(CHECK))
        log.end(Verdict(passed=True, checks=[CHECK]))
        return events + [await decode_frame(frame) async for frame in frames]

    events = asyncio.run(scenario())
    assert [type(event) for event in events] == [msgspec.Raw, RunResult, CheckResult, Verdict]
    assert isinstance(events[1], RunResult)
    assert [bytes(record) for record in events[1].records] == [bytes(RECORD)]
    assert unread_bytes[-1] == 0


def test_what_is_forgotten_is_one_error_and_counts_for_nothing() -> None:
    unread_bytes: list[int] = []
    log = EventLog(unread_bytes.append)
    log.add(Stdout("one\n"))
    log.discard()
    log.add(Stdout("two\n"))
    log.end(None)
    assert unread_bytes[-1] == 0
    (failed,) = read(log)
    assert isinstance(failed, Failed)
