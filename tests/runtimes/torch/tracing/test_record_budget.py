"""Records that are too large together are shortened, and say so."""

from app.protocol.records.registry import encode_record
from app.protocol.records.replay import Gradient, ReplayRecord, ReplayStep, Sent
from app.protocol.records.value import ValueRecord
from app.runtimes.recorder import RecordBudget
from app.runtimes.torch.tracing.record_budget import shorten


def replay(steps: int) -> ReplayRecord:
    def gradient() -> Gradient:
        return Gradient(shape=[8], dtype="torch.float32", values=[0.123456789] * 8)

    return ReplayRecord(
        call="backward",
        number=1,
        of=1,
        steps=[
            ReplayStep(kind="function", node=f"n{number}", label="MulBackward0", received=[gradient()], sent=[Sent(gradient=gradient())])
            for number in range(steps)
        ],
    )


def size(*records: ReplayRecord) -> int:
    return sum(len(encode_record(record)) for record in records)


def test_records_that_fit_stay_whole() -> None:
    records = [replay(100), replay(3)]
    shorten(records, size(*records))
    assert [(record.note, len(record.steps)) for record in records] == [(None, 100), (None, 3)]


def test_the_longest_record_loses_its_largest_entries_first() -> None:
    records = [replay(100), replay(3)]
    records[0].steps[1].grad = Gradient(shape=[], dtype="torch.float32", values=1.0)
    most = size(*records) - 1
    shorten(records, most)
    assert [(record.note, len(record.steps)) for record in records] == [("entries", 100), (None, 3)]
    assert records[0].steps[0].received[0] == Gradient(shape=[8], dtype="torch.float32")
    assert records[0].steps[1].grad.values == 1.0
    assert size(*records) <= most


def test_a_record_that_is_far_too_large_loses_its_last_steps() -> None:
    records = [replay(100), replay(100)]
    shorten(records, 10_000)
    assert [record.note for record in records] == ["steps", "steps"]
    assert all(5 < len(record.steps) < 100 for record in records)
    assert size(*records) <= 10_000


def test_without_any_room_no_step_is_left() -> None:
    records = [replay(100)]
    shorten(records, 0)
    assert (records[0].note, records[0].steps) == ("steps", [])


def test_a_budget_admits_records_until_it_is_used_up() -> None:
    record = ValueRecord(text="x" * 100)
    budget = RecordBudget(2 * len(encode_record(record)))
    assert [budget.admit(record) for _ in range(3)] == [True, True, False]
