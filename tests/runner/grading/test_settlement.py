"""A verdict is what its checks say, in harmless words."""

import pytest

from app.protocol.grading import CheckResult, Message, Verdict
from app.runner.grading.settlement import Contradiction, settle

RIGHT, WRONG = CheckResult(id="a", passed=True), CheckResult(id="a", passed=False)


def test_the_texts_of_messages_are_harmless() -> None:
    check = CheckResult(id="a", passed=True, message=Message(code="c", values={"said": "a\x1b[31m\u202eb"}))
    (settled,) = settle(Verdict(passed=True, checks=[check]), [check]).checks
    assert settled.message == Message(code="c", values={"said": "a\u241b[31m\ufffdb"})


@pytest.mark.parametrize(("checks", "told"), [([RIGHT, RIGHT], []), ([RIGHT, WRONG], []), ([RIGHT], [WRONG]), ([], [RIGHT])])
def test_what_contradicts_itself_is_no_verdict(checks: list[CheckResult], told: list[CheckResult]) -> None:
    with pytest.raises(Contradiction):
        settle(Verdict(passed=True, checks=checks), told)
