"""What an instrument could not show, through a fault of ours: never silence, and never the learner's."""

from app.protocol.records.record import Label, Record


class FaultRecord(Record, tag="fault", kw_only=True):
    """`instrument` is the name of the one that failed; `reason`, its exception, is for whoever reports or fixes it."""

    instrument: Label
    reason: Label

    @property
    def name(self) -> str:
        return f"fault of {self.instrument}"
