"""The results of tracing a program, which the doctor uses: its calls, warnings and failed checks. Runs in the child."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.protocol.records.record import Span
from app.runtimes.torch.tracing.failed_checks import FailedCheck
from app.runtimes.torch.tracing.functions.function_calls import TracedCall


@dataclass(frozen=True)
class TracedProgram:
    """What was seen of a program. `adding`: where passes were called that add to the gradients of an earlier step.

    `differentiates_twice`: whether a pass went through what a pass with create_graph had recorded. `checks`: the calls of gradcheck that
    failed.
    """

    calls: Sequence[TracedCall] = ()
    adding: Sequence[Span] = ()
    warnings: Sequence[tuple[str, Span]] = ()
    differentiates_twice: bool = False
    checks: Sequence[FailedCheck] = ()
