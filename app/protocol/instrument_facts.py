"""The instruments of each runtime: what can observe a run, what that costs, and which are on unless switched otherwise.

web checks the names that are asked for, and words what each shows (app.web.api.instruments); the runtimes install them
(app.runtimes.instruments). A test holds the three together.
"""

from typing import Literal

import msgspec

from app.protocol.run import RuntimeName


class InstrumentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`cost`: in time, of a run that the instrument finds something in."""

    name: str
    cost: Literal["none", "small", "large"]
    default: bool = True


GRAPH = InstrumentFacts(name="graph", cost="small")
GRADCHECK = InstrumentFacts(name="gradcheck", cost="small")
FIGURE = InstrumentFacts(name="figure", cost="small")
VALUE = InstrumentFacts(name="value", cost="none")
TRACE = InstrumentFacts(name="trace", cost="large", default=False)

INSTRUMENTS: dict[RuntimeName, tuple[InstrumentFacts, ...]] = {
    "torch": (GRAPH, GRADCHECK, FIGURE, TRACE, VALUE),
    "tensorflow": (GRADCHECK, FIGURE, VALUE),
    "jax": (GRADCHECK, FIGURE, VALUE),
}
