"""A common mistake as its file describes it: how it is seen, what a learner is told about it, and what mends it."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Annotated, Literal

import msgspec

from app.pitfalls.close_name import close_module, close_name
from app.pitfalls.finding import Value
from app.pitfalls.template import list_holes
from app.pitfalls.when import When
from app.protocol.run import DEFAULT_RUNTIME, Lang, RunError, RuntimeName

About = Literal["function", "torch", "python", "here", "jax", "tensorflow"]
Severity = Literal["error", "warning", "hint"]
Way = Literal["message", "syntax", "trace", "probe"]
LANGUAGES = {"en", "zh-Hans"}
_Programs = Annotated[list[str], msgspec.Meta(min_length=1)]
_PlaceName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z_][a-z0-9_]*\Z")]
_LessonPath = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*\Z")]


class EditTemplate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change of the program. `text` replaces the source at the place `at`, and at the places `at_1`, `at_2` and so on, if there are any.

    In `text`, `{name}` is a value of the diagnosis, or the source at one of its places. `{at}` is the source that is replaced, whatever
    name `at` has. `{indent}` is the white space with which its line begins.
    """

    at: _PlaceName
    text: str


class Pitfall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A common mistake. `code`: its public name, that of its file. `about`: what it is about, the folder of its file.

    `name`: the title of its page; a pitfall without a name has no page. `message`: what is wrong and why. `change`: what to do. Both may
    contain values. `lesson`: the lesson that explains it, as "chapter/lesson". `seen`: how it is found: in a raised error's message, in the
    source, in what the second run traced or by a probe. `when`: the errors that it explains. `edit`: all changes that together mend the
    program.

    `known`: an error is explained only if `{name}` is one of these keys; `{known}` is then the value of that key. `close_to`: an error is
    explained only if the name of a module, or another name, is close to `{name}`; `{close}` is then that name. `unless`: other pitfalls,
    which take precedence if they explain the error, too. `explains`: pitfalls that may follow from this one; the page folds them under it.

    `wrong`: programs that have the mistake; the first one is the smallest. `example`: the values for the words in this one. `near_misses`:
    similar programs that do not have it. `right`: the first of `wrong`, corrected. `runtime`: where these programs run.
    """

    code: str
    about: About
    name: dict[Lang, str] = {}
    severity: Severity = "error"
    message: dict[Lang, str]
    change: dict[Lang, str] = {}
    lesson: _LessonPath | None = None
    seen: list[Way] = []
    when: list[When] = []
    edit: list[EditTemplate] = []
    known: dict[str, str] = {}
    close_to: Literal["modules", "names"] | None = None
    unless: list[str] = []
    explains: list[str] = []
    example: dict[str, Value] = {}
    wrong: _Programs
    near_misses: _Programs
    right: str | None = None
    runtime: RuntimeName = DEFAULT_RUNTIME

    @property
    def is_diagnosed(self) -> bool:
        """Whether a diagnosis may have this pitfall's code. The others are found only in the message of an error."""
        return not self.when or any(way != "message" for way in self.seen)

    def match(self, error: RunError, program: str) -> dict[str, str] | None:
        """Return the values for its words if this pitfall explains the error, else None."""
        for when in self.when:
            if when.type == error.type and (captured := when.match(error, program)) is not None:
                return self._complete(captured, program)
        return None

    def may_explain(self, kind: str, message: str) -> float:
        """Return how well this pitfall fits an error of which only the message and type are known.

        `kind`: its type, or "" if that is unknown, too.

        Return 1 if that is enough to decide, 0.5 if the program decides as well, and 0 if the pitfall does not explain such an error.
        """
        fits = [0.0]
        for when in self.when:
            captured = when.match_message(message) if kind in ("", when.type) else None
            if captured is not None and (not self.known or captured.get("name") in self.known):
                fits.append(0.5 if when.reads_program else 1.0)
        return max(fits)

    def check(self, given: frozenset[str]) -> None:
        """Raise ValueError if a language is missing, or the words use a value that a matching error or the example may not have.

        `given`: names of values that every error has.
        """
        if set(self.message) != LANGUAGES or any(texts and set(texts) != LANGUAGES for texts in (self.name, self.change)):
            raise ValueError("it is in English and in Chinese")
        if any(not text.strip() for texts in (self.name, self.message, self.change) for text in texts.values()):
            raise ValueError("a text is empty")
        if "message" in self.seen and not self.when:
            raise ValueError("it is seen in a message, but there is no [[when]]")
        for edit in self.edit:
            list_holes(edit.text)
        for text in self._words:
            missing = list_holes(text) - set(self.example)
            if missing and self.name:
                raise ValueError(f"its page needs a value in example for {', '.join(sorted(missing))}")
        if self.when:
            self._check_values(given)
        elif self.known or self.close_to or self.unless:
            raise ValueError("without a [[when]] there is no known, close_to or unless")

    @property
    def _words(self) -> list[str]:
        return [*self.message.values(), *self.change.values()]

    def _check_values(self, given: frozenset[str]) -> None:
        names = frozenset.intersection(*(when.names for when in self.when))
        for when in self.when:
            _check_holes(when.has, when.names)
        if (self.known or self.close_to) and "name" not in names:
            raise ValueError("each pattern captures {name}")
        _check_holes(self._words, names | given | ({"known"} if self.known else set()) | ({"close"} if self.close_to else set()))

    def _complete(self, captured: dict[str, str], program: str) -> dict[str, str] | None:
        name = captured.get("name", "")
        if self.known:
            return captured | {"known": self.known[name]} if name in self.known else None
        if self.close_to:
            close = close_module(name) if self.close_to == "modules" else close_name(name, program)
            return captured | {"close": close} if close else None
        return captured


def _check_holes(texts: Iterable[str], values: AbstractSet[str]) -> None:
    """Raise ValueError if a text uses a value that does not exist."""
    for text in texts:
        if missing := list_holes(text) - values:
            raise ValueError(f"no value for {', '.join(sorted(missing))}")
