"""What a run told and its reader has not taken: encoded once, counted, and let go of."""

import asyncio
import tracemalloc

import msgspec
import pytest

from app.protocol.event import CheckDone, Ended, Failed, Graded, Recorded, RunEvent, Started, Stdout
from app.protocol.grading import CheckResult, Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult, Timing
from app.runner.runs.told import Told

CHECK = CheckResult(id="a", passed=True)
RECORD = msgspec.Raw(b'{"kind":"value","text":"' + b"x" * 200_000 + b'"}')


def result_of(told: Told) -> Ended:
    timing = Timing(queued_ms=0.0, run_ms=0.0, total_ms=0.0)
    text = "".join(told.stdout)
    return Ended(RunResult(id="1", outcome=Outcome.FINISHED, stdout=text, records=list(told.records), timing=timing))


def read(told: Told) -> list[RunEvent]:
    async def collect() -> bytes:
        return b"".join([piece async for piece in told.lines()])

    decoder = msgspec.json.Decoder(RunEvent)
    return [decoder.decode(line) for line in asyncio.run(collect()).splitlines()]


def test_a_reader_gets_every_event_and_a_result_with_the_records_that_were_told() -> None:
    told = Told(lambda _: None)
    for event in (Started("1"), Stdout("one\n"), Recorded(RECORD), Stdout("two\n")):
        told.add(event)
    told.end(result_of(told))
    *events, last = read(told)
    assert [type(event) for event in events] == [Started, Stdout, Recorded, Stdout]
    assert isinstance(last, Ended)
    assert last.result.stdout == "one\ntwo\n"
    assert [bytes(record) for record in last.result.records] == [bytes(RECORD)]


def test_what_was_told_before_the_reader_comes_is_one_piece_unless_it_is_large() -> None:
    told = Told(lambda _: None)
    for event in (Started("1"), Stdout("one\n"), Recorded(RECORD), Stdout("two\n")):
        told.add(event)
    told.end(None)

    async def collect() -> list[bytes]:
        return [piece async for piece in told.lines()]

    pieces = asyncio.run(collect())
    assert pieces[0].count(b"\n") == 2
    assert max(map(len, pieces)) <= 65_536
    assert pieces[-1].endswith(b'"two\\n"}\n')


def test_records_are_not_held_twice() -> None:
    told = Told(lambda _: None)
    tracemalloc.start()
    try:
        told.add(Recorded(RECORD))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [bytes(record) for record in told.records] == [bytes(RECORD)]
    assert kept < 1.5 * len(bytes(RECORD))


def test_what_is_unread_is_counted_and_nothing_is_when_all_is_read() -> None:
    changes: list[int] = []
    told = Told(changes.append)
    told.add(Recorded(RECORD))
    told.add(Stdout("one\n"))
    told.end(result_of(told))
    assert sum(changes) > len(bytes(RECORD))
    read(told)
    assert sum(changes) == 0


@pytest.mark.parametrize("read_between", [True, False])
def test_a_submission_goes_on_after_its_result_whose_records_are_let_go_of_when_it_is_taken(read_between: bool) -> None:
    changes: list[int] = []
    told = Told(changes.append)

    async def scenario() -> list[bytes]:
        told.add(Recorded(RECORD))
        told.add(result_of(told))
        lines = told.lines()
        heard = []
        if read_between:
            while b'"event":"result"' not in (piece := await anext(lines)):
                heard.append(piece)
            while not piece.endswith(b"\n"):
                piece = await anext(lines)
        told.add(CheckDone(CHECK))
        if read_between:
            heard = [await anext(lines)]
            assert not told.records
            assert sum(changes) == len(heard[0])
        told.end(Graded(Verdict(passed=True, checks=[CHECK])))
        return heard + [piece async for piece in lines]

    decoder = msgspec.json.Decoder(RunEvent)
    events = [decoder.decode(line) for line in b"".join(asyncio.run(scenario())).splitlines()]
    assert [type(event) for event in events][-2:] == [CheckDone, Graded]
    if not read_between:
        assert [type(event) for event in events] == [Recorded, Ended, CheckDone, Graded]
        assert isinstance(events[1], Ended)
        assert [bytes(record) for record in events[1].result.records] == [bytes(RECORD)]
    assert sum(changes) == 0


def test_what_is_forgotten_is_told_once_and_counts_for_nothing() -> None:
    changes: list[int] = []
    told = Told(changes.append)
    told.add(Stdout("one\n"))
    told.forget()
    told.add(Stdout("two\n"))
    told.end(None)
    assert sum(changes) == 0
    (failed,) = read(told)
    assert isinstance(failed, Failed)
