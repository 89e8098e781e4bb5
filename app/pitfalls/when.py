"""The conditions under which a pitfall explains an error that was raised."""

import msgspec

from app.pitfalls.function_body import returns_nothing
from app.pitfalls.pattern import Pattern
from app.pitfalls.template import fill
from app.protocol.run import RunError


class When(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The conditions under which an error is explained. All must hold; an empty or None condition always does.

    `type`: the name of the exception. `messages`: patterns, one of which must match its message. `lines`: patterns, one of which must match
    the line that raised it. `function`: the name of the function that contains this line. `has`: texts that the program must contain; they
    may contain captured values, as in `class {name}(`. `lacks`: texts that it must not contain. `returns_nothing`: the name of a function
    that the program must define without a `return`.
    """

    type: str
    messages: list[Pattern] = []
    lines: list[Pattern] = []
    function: str | None = None
    has: list[str] = []
    lacks: list[str] = []
    returns_nothing: str = ""

    @property
    def names(self) -> frozenset[str]:
        """The names that are captured no matter which of the patterns match."""
        every = [frozenset.intersection(*(pattern.names for pattern in patterns)) for patterns in (self.messages, self.lines) if patterns]
        return frozenset().union(*every)

    @property
    def reads_program(self) -> bool:
        """Whether the decision depends on more than the error's type and message."""
        return bool(self.lines or self.function or self.has or self.lacks or self.returns_nothing)

    def match_message(self, message: str) -> dict[str, str] | None:
        """Return what a message captures if nothing else is known of the error; None if no pattern matches it."""
        return next((values for pattern in self.messages if (values := pattern.match(message)) is not None), None)

    def match(self, error: RunError, program: str) -> dict[str, str] | None:
        """Return what the patterns captured if the conditions hold, else None."""
        line, function = (error.traceback[-1].source, error.traceback[-1].function) if error.traceback else ("", None)
        if self.function is not None and function != self.function:
            return None
        captured: dict[str, str] = {}
        for patterns, text in ((self.messages, error.message), (self.lines, line)):
            found = next((values for pattern in patterns if (values := pattern.match(text)) is not None), None)
            if patterns and found is None:
                return None
            captured |= found or {}
        as_expected = all(fill(text, captured) in program for text in self.has)
        as_expected = as_expected and not any(text in program for text in self.lacks)
        return captured if as_expected and (not self.returns_nothing or returns_nothing(program, self.returns_nothing)) else None
