"""Observes calls of a framework's own gradient check, and records the Jacobians that it compared at the line of the call.

Installed in the zygote, called in the child. A framework's instrument extends this class with the records of a call.
"""

import threading
from collections.abc import Iterator
from typing import Any

import msgspec

from app.protocol.instrument_facts import GRADCHECK
from app.protocol.records.gradcheck import GradcheckRecord
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.plain_text import str_of
from app.runtimes.recorder import Recorder
from app.runtimes.stand_in import Call

MESSAGE_CHARACTERS = 60_000


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """A call that has ended. `message` is that of what it raised, None if it returned `result`; `mismatched`: it raised AssertionError."""

    arguments: tuple[Any, ...]
    options: dict[str, Any]
    result: Any = None
    message: str | None = None
    mismatched: bool = False

    def named(self, *names: str) -> dict[str, Any]:
        """Return all arguments by name; `names` are those of the positional ones."""
        return {**dict(zip(names, self.arguments, strict=False)), **self.options}


class GradientCheckInstrument(Instrument):
    """Records outermost calls only."""

    facts = GRADCHECK

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._local = threading.local()

    def records(self, call: Observed) -> Iterator[GradcheckRecord]:
        """Yield the records of a call. What this raises is a fault of ours."""
        raise NotImplementedError

    def observe(self, original: Call, *arguments: Any, **options: Any) -> Any:
        """The replacement for the framework's function: calls it and records the call."""
        if getattr(self._local, "within", False) or not (self.active and self.recorder.showing):
            return original(*arguments, **options)
        self._local.within = True
        try:
            result = original(*arguments, **options)
        except Exception as error:
            message, mismatched = str_of(error, MESSAGE_CHARACTERS), issubclass(type(error), AssertionError)
            self._show(Observed(arguments=arguments, options=options, message=message, mismatched=mismatched))
            raise
        else:
            self._show(Observed(arguments=arguments, options=options, result=result))
            return result
        finally:
            self._local.within = False

    def _show(self, call: Observed) -> None:
        with self.guarded():
            for record in self.records(call):
                self.recorder.show(record, self.recorder.sources.caller())
