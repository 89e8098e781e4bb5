"""Instruments that only the test zygote has."""

import statistics
from typing import Any

import torch

from app.protocol.instrument_facts import InstrumentFacts
from app.protocol.records.record import Span
from app.protocol.records.unknown import UnknownRecord
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunError
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.stand_in import Call, stand_in
from app.runtimes.torch.identities import IDENTITIES
from app.runtimes.torch.tensors import is_tensor


class FailingInstrument(Instrument):
    """Raises in every method but `begin`, and in its replacement for statistics.mean."""

    facts = InstrumentFacts(name="failing", cost="none", default=False)

    def install(self) -> None:
        statistics.mean = stand_in(statistics.mean, self._mean)

    def replayed(self) -> None:
        raise ValueError("replayed")

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        raise ValueError("show")

    def finish(self, error: RunError | None) -> None:
        raise ValueError("finish")

    def _mean(self, original: Call, *args: Any, **kwargs: Any) -> Any:
        if self.active:
            with self.guarded():
                raise ValueError("mean")
        return original(*args, **kwargs)


class UnpreparedInstrument(FailingInstrument):
    """Raises in `begin` already."""

    facts = InstrumentFacts(name="unprepared", cost="none", default=False)

    def begin(self) -> None:
        raise ValueError("begin")


class ShoutingInstrument(Instrument):
    """Records texts in capitals, and at the end their number."""

    facts = InstrumentFacts(name="shouting", cost="none", default=False)

    def begin(self) -> None:
        self.count = 0

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        if not isinstance(value, str):
            return False
        self.count += 1
        self.recorder.show(ValueRecord(title=title, text=value.upper()), span)
        return True

    def finish(self, error: RunError | None) -> None:
        self.recorder.show(ValueRecord(text=str(self.count)), None)


class NamingInstrument(Instrument):
    """Makes a record of a kind of its own at the end, which refers to the tensors that were shown."""

    facts = InstrumentFacts(name="naming", cost="none", default=False)

    def begin(self) -> None:
        self.tensors: list[torch.Tensor] = []

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        self.tensors += [value] if is_tensor(value) else []
        return False

    def finish(self, error: RunError | None) -> None:
        refs = [IDENTITIES.tensor(tensor) for tensor in self.tensors]
        self.recorder.show(UnknownRecord(unknown_kind="named", refs=refs), None)
