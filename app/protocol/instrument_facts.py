"""The instruments of each runtime: what can observe a run, what that costs, and which are on unless switched otherwise.

web checks the names that an order asks for, and puts into words what each instrument shows (app.web.api.instruments). The runtimes install
the instruments (app.runtimes.instruments). A test checks that all three agree.
"""

from typing import Literal

import msgspec

from app.protocol.run import RuntimeName


class InstrumentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What web knows of an instrument. `cost`: how much more time a run takes if the instrument finds something in it.

    `default`: whether it is on unless switched off.
    """

    name: str
    cost: Literal["none", "small", "large"]
    default: bool = True


GRAPH = InstrumentFacts(name="graph", cost="small")
GRADCHECK = InstrumentFacts(name="gradcheck", cost="small")
FIGURE = InstrumentFacts(name="figure", cost="small")
VALUE = InstrumentFacts(name="value", cost="none")
TRACE = InstrumentFacts(name="trace", cost="large", default=False)
DOCTOR = InstrumentFacts(name="doctor", cost="large", default=False)

INSTRUMENTS: dict[RuntimeName, tuple[InstrumentFacts, ...]] = {
    "torch": (GRAPH, GRADCHECK, FIGURE, TRACE, DOCTOR, VALUE),
    "tensorflow": (GRADCHECK, FIGURE, TRACE, VALUE),
    "jax": (GRADCHECK, FIGURE, TRACE, VALUE),
}
