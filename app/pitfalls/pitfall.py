"""A common mistake as its file describes it: which errors it causes, and what a learner is told about it."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from string import Formatter
from typing import Annotated, Literal

import msgspec

from app.protocol.run import DEFAULT_RUNTIME, Lang, RunError, RuntimeName
from app.runner.stumbles.close_name import close_module, close_name
from app.runner.stumbles.function_body import returns_nothing
from app.runner.stumbles.pattern import Pattern

_Programs = Annotated[list[str], msgspec.Meta(min_length=1)]


class When(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The conditions under which an error is explained. All of them must hold; an empty or None condition always does.

    `type`: the name of the exception. `messages`: patterns, one of which must match its message. `lines`: patterns, one of which must match
    the line that raised it. `function`: the name of the function that this line is in. `has`: texts that the program must contain; captured
    values may stand in them, as in `class {name}(`. `lacks`: texts that it must not contain. `returns_nothing`: the name of a function that
    the program must define without a `return`.
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
        """The names that are captured whichever of the patterns match."""
        every = [frozenset.intersection(*(pattern.names for pattern in patterns)) for patterns in (self.messages, self.lines) if patterns]
        return frozenset().union(*every)

    def match(self, error: RunError, program: str) -> dict[str, str] | None:
        """Return what the patterns captured if the conditions hold, and None if they do not."""
        line, function = (error.traceback[-1].source, error.traceback[-1].function) if error.traceback else ("", None)
        if self.function is not None and function != self.function:
            return None
        captured: dict[str, str] = {}
        for patterns, text in ((self.messages, error.message), (self.lines, line)):
            found = next((values for pattern in patterns if (values := pattern.match(text)) is not None), None)
            if patterns and found is None:
                return None
            captured |= found or {}
        as_expected = all(text.format_map(captured) in program for text in self.has)
        as_expected = as_expected and not any(text in program for text in self.lacks)
        return captured if as_expected and (not self.returns_nothing or returns_nothing(program, self.returns_nothing)) else None


class Stumble(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A common mistake. `explanation`: what the learner is told, in each language; captured values may stand in it.

    `known`: the mistake is recognised only if `{name}` is one of these keys; `{known}` is then the value beside it. `close_to`: it is
    recognised only if a module, or a name, is close to `{name}`; `{close}` is then that one. `unless`: other stumbles, which take
    precedence if they explain the error, too. `triggers`: programs whose error it explains. `near_misses`: similar programs whose error it
    does not explain. `runtime`: where these programs run.
    """

    when: Annotated[list[When], msgspec.Meta(min_length=1)]
    explanation: dict[Lang, str]
    known: dict[str, str] = {}
    close_to: Literal["modules", "names"] | None = None
    unless: list[str] = []
    runtime: RuntimeName = DEFAULT_RUNTIME
    triggers: _Programs
    near_misses: _Programs

    def match(self, error: RunError, program: str) -> dict[str, str] | None:
        """Return the values for the explanation if this stumble explains the error, and None if it does not."""
        for when in self.when:
            if when.type == error.type and (captured := when.match(error, program)) is not None:
                return self._complete(captured, program)
        return None

    def check(self, given: frozenset[str]) -> None:
        """Raise ValueError if an explanation is missing, or uses a value that a match may not have.

        `given`: names of values that are always there.
        """
        if set(self.explanation) != {"en", "zh-Hans"}:
            raise ValueError("it is explained in English and in Chinese")
        names = frozenset.intersection(*(when.names for when in self.when))
        for when in self.when:
            _check_values(when.has, when.names)
        if (self.known or self.close_to) and "name" not in names:
            raise ValueError("each pattern captures {name}")
        values = names | given | ({"known"} if self.known else set()) | ({"close"} if self.close_to else set())
        _check_values(self.explanation.values(), values)

    def _complete(self, captured: dict[str, str], program: str) -> dict[str, str] | None:
        name = captured.get("name", "")
        if self.known:
            return captured | {"known": self.known[name]} if name in self.known else None
        if self.close_to:
            close = close_module(name) if self.close_to == "modules" else close_name(name, program)
            return captured | {"close": close} if close else None
        return captured


def _check_values(texts: Iterable[str], values: AbstractSet[str]) -> None:
    """Raise ValueError if a text uses a value that is not there."""
    for text in texts:
        if missing := {field for _, field, _, _ in Formatter().parse(text) if field is not None} - values:
            raise ValueError(f"no value for {', '.join(sorted(missing))}")
