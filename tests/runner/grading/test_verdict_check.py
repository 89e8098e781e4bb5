"""A verdict is what its checks say, in harmless words."""

import msgspec
import pytest

from app.protocol.grading import CheckResult, Message, MistakeFault, Verdict
from app.protocol.run import Lang, Program, RunOrder, Source
from app.runner.grading.message_broker import GraderFailed
from app.runner.grading.verdict_check import settle

SOURCE = "def backward(ctx, g):\n    x = ctx.saved_tensors\n    return 2 * x * g\n"
RUN = RunOrder(program=Program(source=Source(text=SOURCE)), lang="en")
RIGHT, WRONG = CheckResult(id="a", passed=True), CheckResult(id="a", passed=False)


def test_the_texts_of_messages_are_harmless() -> None:
    check = CheckResult(id="a", passed=True, message=Message(code="c", values={"said": "a\x1b[31m\u202eb"}))
    (settled,) = settle(Verdict(passed=True, checks=[check]), [check], RUN).checks
    assert settled.message == Message(code="c", values={"said": "a\u241b[31m\ufffdb"})


def test_what_is_said_of_an_authors_mistake_is_harmless_and_its_line_stays() -> None:
    fault = MistakeFault(mistake="m", line=3, message="ValueError: \x1b[31m")
    settled = settle(Verdict(passed=False, checks=[WRONG], faults=[fault]), [WRONG], RUN)
    assert settled.faults == [MistakeFault(mistake="m", line=3, message="ValueError: \u241b[31m")]


@pytest.mark.parametrize(("lang", "words"), [("en", "comma"), ("zh-Hans", "逗号")])
def test_an_error_is_explained_as_in_a_run_whatever_the_child_says_of_it(lang: Lang, words: str) -> None:
    values = {"type": "TypeError", "message": "can't multiply sequence by non-int of type 'Tensor'", "line": "3"}
    check = CheckResult(id="a", passed=False, message=Message(code="raised-at", values=values, explanation="<b>"))
    (settled,) = settle(Verdict(passed=False, checks=[check]), [check], msgspec.structs.replace(RUN, lang=lang)).checks
    assert settled.message is not None
    assert words in (settled.message.explanation or "")


def test_an_error_in_no_line_of_the_program_is_looked_up_by_its_message() -> None:
    for line in ("99", "-1", "x", ""):
        check = CheckResult(id="a", passed=False, message=Message(code="raised-at", values={"type": "E", "message": "", "line": line}))
        (settled,) = settle(Verdict(passed=False, checks=[check]), [check], RUN).checks
        assert settled.message == check.message


@pytest.mark.parametrize(("checks", "told"), [([RIGHT, RIGHT], []), ([RIGHT, WRONG], []), ([RIGHT], [WRONG]), ([], [RIGHT])])
def test_what_contradicts_itself_is_no_verdict(checks: list[CheckResult], told: list[CheckResult]) -> None:
    with pytest.raises(GraderFailed):
        settle(Verdict(passed=True, checks=checks), told, RUN)
