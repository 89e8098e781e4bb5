"""A call of a learner's Function that was traced, and its record. Runs in the child."""

from typing import NamedTuple

from app.protocol.records.saved import SavedRecord
from app.runtimes.torch.tracing.functions.function_call import FunctionCall


class TracedCall(NamedTuple):
    """A call and its record, which has an id only if it is shown."""

    call: FunctionCall
    record: SavedRecord
