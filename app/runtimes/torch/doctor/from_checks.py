"""Finds out why gradcheck failed although the gradient may be right. Runs in the child."""

from collections.abc import Iterable, Iterator, Sequence

from app.probes.gradients.kink import find_kink
from app.runtimes.plain_text import NAME_CHARACTERS, plain
from app.runtimes.silence import is_only_thread, unseen
from app.runtimes.torch.doctor.found import Found, name_in
from app.runtimes.torch.tracing.failed_checks import FailedCheck
from app.runtimes.torch.tracing.functions.function_call import true_name

_OTHER_REASONS = {"float32-gradcheck", "overlapping-memory", "not-deterministic"}  # mistakes for which gradcheck fails


def find_in_checks(checks: Iterable[FailedCheck], found: Sequence[Found]) -> Iterator[Found]:
    """Yield the reasons why checks failed although the gradient may be right.

    `found`: the mistakes that are known already, one of which may be the reason.
    """
    for check in checks:
        if check.overlapping:
            name = check.names[check.overlapping[0]]
            yield Found("overlapping-memory", check.span, {"name": name_in(name)} if name else {})
        elif check.inputs is not None and is_only_thread() and not any(each.code in _OTHER_REASONS for each in found):
            yield from _find_kink(check, found)


def _find_kink(check: FailedCheck, found: Sequence[Found]) -> Iterator[Found]:
    with unseen():
        kink = find_kink(check.function, check.inputs or ())
    if kink is None:
        return
    function = plain(true_name(kink.function), NAME_CHARACTERS)
    if not any(each.function == function and "input" in each.values for each in found):
        name = name_in(check.names[kink.input], f"inputs[{kink.input}]")
        yield Found("kink", check.span, {"function": function, "input": name, "index": kink.entry})
