"""Answers that were stored in an earlier format are read as answers of the current one."""

from pathlib import Path

import msgspec
import pytest

from app.grading.earlier_answers import renew_answer
from app.grading.submission_answer import SubmissionAnswer
from app.protocol.records.record import Span
from app.protocol.records.registry import decode_records
from app.protocol.run import RunResult

EARLIER_ANSWER = Path(__file__).with_name("earlier_answer.json").read_bytes()  # as an earlier version stored it


def test_a_result_has_its_records_with_ids_and_spans() -> None:
    run = msgspec.json.decode(renew_answer(EARLIER_ANSWER), type=SubmissionAnswer).run
    records = decode_records(msgspec.json.decode(run, type=RunResult).records)
    assert [record.id for record in records] == ["gradcheck-1", "value-1"]
    assert [record.span for record in records] == [Span(line=23), Span(line=24)]
    assert [record.stdout_offset for record in records] == [0, 5]


def test_nothing_else_changes() -> None:
    before, now = msgspec.json.decode(EARLIER_ANSWER), msgspec.json.decode(renew_answer(EARLIER_ANSWER))
    for record, earlier in zip(now["run"].pop("records"), before["run"].pop("displays"), strict=True):
        added = {name: record.pop(name) for name in ("id", "span", "refs")}
        assert added["refs"] == []
        assert record == {name: value for name, value in earlier.items() if name not in ("cell", "line")}
    assert (before["run"].pop("functions"), before["run"].pop("diagnoses")) == ([], [])
    assert now == before


def test_a_record_of_the_same_kind_has_the_next_number_and_one_without_a_line_no_span() -> None:
    displays = [{"kind": "value", "text": "1"}, {"kind": "spectrum", "cell": "a", "line": 2}, {"kind": "value", "cell": None, "line": None}]
    answer = {"passed": True, "run": {"id": "r1", "displays": displays}}
    records = msgspec.json.decode(renew_answer(msgspec.json.encode(answer)))["run"]["records"]
    assert [(record["id"], record["span"] and (record["span"]["cell"], record["span"]["line"])) for record in records] == [
        ("value-1", None),
        ("spectrum-1", ("a", 2)),
        ("value-2", None),
    ]


@pytest.mark.parametrize("lists", [{"records": []}, {"displays": []}])
def test_an_error_has_its_pitfall_under_the_present_name(lists: dict[str, object]) -> None:
    error = {"type": "NameError", "message": "m", "stumble": "earlier-run", "name": "loss"}
    answer = msgspec.json.encode({"passed": False, "run": {"id": "r1", "error": error, **lists}})
    run = msgspec.json.decode(renew_answer(answer))["run"]
    assert run == {
        "id": "r1",
        "error": {"type": "NameError", "message": "m", "pitfall": "earlier-run", "name": "loss"},
        "records": [],
    }


@pytest.mark.parametrize(
    "run",
    [
        b'{"id":"r1","error":{"type":"E","pitfall":null},"records":[]}',
        b"null",
        b'{"id":"r1","records":[]}',
        b'{"id":"r1","records":[{"kind":"value","id":"value-1"}]}',
    ],
)
def test_an_answer_of_today_stays_as_it_is(run: bytes) -> None:
    data = b'{"passed":true,"run":' + run + b"}"
    assert renew_answer(data) is data
