"""The results of tracing a program, which the doctor uses. Runs in the child."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.protocol.records.record import Span
from app.protocol.records.saved import SavedRecord
from app.runtimes.torch.tracing.functions.function_calls import FunctionCall
from app.runtimes.torch.tracing.shown_warnings import ShownWarning
from app.runtimes.torch.tracing.traced_checks import FailedCheck


class TracedCall(NamedTuple):
    """A call and its record, which has an id only if it is shown."""

    call: FunctionCall
    record: SavedRecord


@dataclass(frozen=True)
class TracedProgram:
    """What was seen of a program. `adding`: where passes were called that add to the gradients of an earlier step.

    `differentiates_twice`: whether a pass went through what a pass with create_graph had recorded. `checks`: the calls of gradcheck that
    failed.
    """

    calls: Sequence[TracedCall] = ()
    adding: Sequence[Span] = ()
    warnings: Sequence[ShownWarning] = ()
    differentiates_twice: bool = False
    checks: Sequence[FailedCheck] = ()

    @property
    def differentiated_twice(self) -> set[str]:
        """The names of the Functions whose backward was recorded, so that it can be differentiated."""
        return {each.record.function for each in self.calls if each.call.backward_recorded}
