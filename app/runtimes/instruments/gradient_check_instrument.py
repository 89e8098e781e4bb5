"""Observes calls of a framework's own gradient check. Records the Jacobians that the check compared, at the line of the call.

Installed in the zygote, called in the child. A subclass for each framework makes the records.
"""

import threading
from collections.abc import Iterator
from typing import Any

import msgspec

from app.protocol.instrument_facts import GRADCHECK
from app.protocol.records.gradcheck import GradcheckRecord
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.plain_text import str_of
from app.runtimes.stand_in import Call

MESSAGE_CHARACTERS = 60_000


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """A call that has ended.

    If the call raised, `message` is the exception's message, and `mismatched` says whether the exception is an AssertionError. Otherwise
    `message` is None, and `result` is what the call returned.
    """

    arguments: tuple[Any, ...]
    options: dict[str, Any]
    result: Any = None
    message: str | None = None
    mismatched: bool = False

    def named(self, *names: str) -> dict[str, Any]:
        """Return all arguments by name. `names` are the names of the positional arguments."""
        return {**dict(zip(names, self.arguments, strict=False)), **self.options}


class GradientCheckInstrument(Instrument):
    """Records each call of the gradient check, except calls within another one."""

    facts = GRADCHECK
    _local = threading.local()

    def records(self, call: Observed) -> Iterator[GradcheckRecord]:
        """Yield the records of a call. An exception that this raises is recorded as a fault of Gradroom, not of the program."""
        raise NotImplementedError

    def observe(self, original: Call, *arguments: Any, **options: Any) -> Any:
        """Replace the framework's function: call it and record the call."""
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
