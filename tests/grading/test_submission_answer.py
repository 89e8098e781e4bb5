"""What the answer to a submission says of its verdict."""

import msgspec
import pytest

from app.grading.submission_answer import answer_submission, conceal_hidden, describe_check
from app.protocol.grading import CheckResult, Message, Verdict
from app.protocol.outcome import Outcome
from tests.web.exercises import HIDDEN, VALUES, make_exercises

FIX, TEST = make_exercises()


@pytest.mark.parametrize(
    "check",
    [
        HIDDEN,
        CheckResult(id="secret-hidden", passed=True),  # the exercise says so
        CheckResult(id="nobody-knows", passed=True),
        CheckResult(id="mutant:nobody-knows", passed=True),
    ],
)
def test_a_check_that_is_not_declared_visible_is_counted_and_not_told(check: CheckResult) -> None:
    assert describe_check(FIX, check, "en") is None
    told = answer_submission(FIX, Verdict(passed=False, checks=[check, VALUES]), b"{}", "en")
    assert (told.hidden.total, told.hidden.passed, len(told.checks)) == (1, int(check.passed), 1)


def test_a_verdict_that_leaves_the_server_names_neither_hidden_checks_nor_mutants() -> None:
    mutant = CheckResult(id="mutant:secret-mutant-two", passed=False, message=Message(code="mutant-accepted"))
    hidden, values, concealed = conceal_hidden(FIX, Verdict(passed=False, checks=[HIDDEN, VALUES, mutant])).checks
    assert (hidden, values, concealed.id) == (
        CheckResult(id="hidden:1", passed=False),
        VALUES,
        "hidden:3",
    )  # no such mutant here
    told = conceal_hidden(TEST, Verdict(passed=False, checks=[mutant]))
    assert told.checks == [msgspec.structs.replace(mutant, id="mutant:2")]
    assert conceal_hidden(TEST, told) == told
    assert [describe_check(TEST, check, "en") for check in (mutant, *told.checks)] == [describe_check(TEST, mutant, "en")] * 2
    assert [check.id for check in conceal_hidden(None, Verdict(passed=True, checks=[VALUES])).checks] == ["hidden:1"]


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("name", ["runs", "functions", "bans", "right"])
def test_the_standard_checks_have_titles_in_both_languages(name: str, lang: str) -> None:
    told = describe_check(TEST, CheckResult(id=name, passed=True), lang)  # type: ignore[arg-type]
    assert told is not None
    assert told.title != name
    assert told.title.isascii() == (lang == "en")


def test_a_reported_check_says_so() -> None:
    told = describe_check(FIX, CheckResult(id="values", passed=False, reported=True, message=Message(code="none")), "en")
    assert told is not None
    assert told.reported
    assert told.message


def test_a_mistake_that_the_text_does_not_know_is_not_told() -> None:
    verdict = Verdict(passed=False, checks=[VALUES], mistake="unheard-of")
    assert answer_submission(FIX, verdict, b"{}", "en").mistake is None


def test_the_run_is_passed_on_as_it_came() -> None:
    run = b'{"id":"r1","of tomorrow":[1]}'
    assert run in msgspec.json.encode(answer_submission(FIX, Verdict(passed=True, checks=[VALUES]), run, "en"))


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.FINISHED])
def test_each_way_of_not_running_to_the_end_has_its_words(outcome: Outcome, lang: str) -> None:
    told = describe_check(FIX, CheckResult(id="runs", passed=False, message=Message(code=outcome)), lang)  # type: ignore[arg-type]
    unknown = describe_check(FIX, CheckResult(id="values", passed=False, message=Message(code="unknown")), lang)  # type: ignore[arg-type]
    assert told is not None
    assert unknown is not None
    assert told.message not in ("", unknown.message)
    assert told.message.isascii() == (lang == "en")
