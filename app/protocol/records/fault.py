"""Says that an instrument failed, which is our fault. So a failure is neither silent nor blamed on the learner."""

from app.protocol.records.record import Label, Record


class FaultRecord(Record, tag="fault", kw_only=True):
    """A failure. `instrument`: the name of the instrument that failed. `reason`: its exception, for whoever reports or fixes the fault."""

    instrument: Label
    reason: Label

    @property
    def name(self) -> str:
        return f"fault of {self.instrument}"
