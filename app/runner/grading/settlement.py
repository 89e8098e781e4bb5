"""The last word on a verdict: whether it is passed follows from its checks, whatever flag the grader's child sent with them."""

from collections.abc import Iterable

import msgspec

from app.protocol.grading import CheckResult, Message, Verdict
from app.protocol.harmless import harmless


class Contradiction(Exception):
    """Checks that are told twice, or otherwise than before."""


def settle(verdict: Verdict, told: Iterable[CheckResult]) -> Verdict:
    """The verdict with the flag that its checks give. `told`: those that were told of before it. Raises Contradiction."""
    checks = {check.id: check for check in verdict.checks}
    if len(checks) < len(verdict.checks):
        raise Contradiction("a check is there twice")
    if any(checks.get(check.id) != check for check in told):
        raise Contradiction("a check is not what was told of it")
    decisive = [check for check in verdict.checks if not check.reported]
    passed = bool(decisive) and all(check.passed for check in decisive)
    return msgspec.structs.replace(verdict, passed=passed, checks=[make_harmless(check) for check in verdict.checks])


def make_harmless(check: CheckResult) -> CheckResult:
    """The check with texts that may be shown: some of what its message says is the learner's."""
    if check.message is None:
        return check
    values = {name: harmless(value) for name, value in check.message.values.items()}
    return msgspec.structs.replace(check, message=Message(code=check.message.code, values=values))
