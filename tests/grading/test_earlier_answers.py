"""Answers that were stored in the format before are read as answers of the current one."""

import msgspec
import pytest

from app.grading.earlier_answers import renew_answer

ERROR = {"type": "NameError", "message": "m", "stumble": "earlier-run", "name": "loss"}
EARLIER_ANSWER = msgspec.json.encode({"passed": False, "run": {"id": "r1", "error": ERROR, "records": [{"kind": "value"}]}})


def test_an_error_has_its_pitfall_under_the_present_name_and_nothing_else_changes() -> None:
    error = {"type": "NameError", "message": "m", "pitfall": "earlier-run", "name": "loss"}
    expected = {"passed": False, "run": {"id": "r1", "error": error, "records": [{"kind": "value"}]}}
    assert msgspec.json.decode(renew_answer(EARLIER_ANSWER)) == expected


@pytest.mark.parametrize(
    "run",
    [
        b'{"id":"r1","error":{"type":"E","pitfall":null},"records":[]}',
        b"null",
        b'{"id":"r1","records":[]}',
        b'{"id":"r1","error":null,"records":[{"kind":"value","id":"value-1"}]}',
    ],
)
def test_an_answer_of_today_stays_as_it_is(run: bytes) -> None:
    data = b'{"passed":true,"run":' + run + b"}"
    assert renew_answer(data) is data
