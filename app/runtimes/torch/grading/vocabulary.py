"""The module `gradroom`, which an author's checks.py imports. It exists only in the grader's child, for one examination."""

import ast
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from app.protocol.calls import Define, Fetch, Fetched, Report, Reported, Saved
from app.protocol.grading import Message
from app.protocol.limits import MEBIBYTE
from app.protocol.outcome import Outcome
from app.runtimes.torch.calls.remote_graph import UnreadableReply
from app.runtimes.torch.calls.tensor_data import decode_value
from app.runtimes.torch.grading.draws import Draws
from app.runtimes.torch.grading.failing import AuthorFault, NotPassed
from app.runtimes.torch.grading.learner_asker import LearnerAsker
from app.runtimes.torch.grading.sides import ReferenceSide, Side
from app.runtimes.torch.grading.subject import Subject

CheckFunction = Callable[[], object]


class Vocabulary:
    """`checks` and `mistakes`: what checks.py registered, by id, in its order; `reported`: the checks that rest on the learner's word.

    `solution`: what solution.py, which is `source`, defines.
    """

    def __init__(self, asker: LearnerAsker, solution: Mapping[str, Any], source: str, draws: Draws) -> None:
        self.checks: dict[str, CheckFunction] = {}
        self.mistakes: dict[str, CheckFunction] = {}
        self.reported: set[str] = set()
        self.reports = Reports(asker)
        self._asker, self._solution, self._source, self._draws = asker, solution, source, draws

    def module(self) -> ModuleType:
        module = ModuleType("gradroom")
        module.__dict__.update(
            Subject=self.subject,
            check=self.check,
            mistake=self.mistake,
            draw=self._draws,
            given=self.given,
            value=self.value,
            out_of_memory=self.out_of_memory,
            reported=self.reports,
            expect=expect,
        )
        return module

    def subject(self, name: str, arguments: Callable[[], Any], like: Any = None) -> Subject:
        """A name of the learner's; `like` is the reference, by default what solution.py defines by that name."""
        found = self._solution.get(name) if like is None else like
        reference = None if found is None else ReferenceSide(found, name)
        return Subject(name, arguments, Side(self._asker, name), reference, self._draws)

    def given(self, *names: str, source: str | None = None) -> None:
        """Functions that the learner is told to leave as they are: those of solution.py are asked, whatever the program calls so.

        `source`: the author's text that defines them instead; it sees the program's other names, and `with_scaled`.
        """
        self._asker.give(Define(source=source_of(self._source, names) if source is None else source, names=list(names)))

    def check(self, function: CheckFunction | None = None, *, reported: bool = False) -> Any:
        """Register a check, by the function's name with - for _."""

        def register(function: CheckFunction) -> CheckFunction:
            self.checks[_id_of(function)] = function
            if reported:
                self.reported.add(_id_of(function))
            return function

        return register if function is None else register(function)

    def mistake(self, function: CheckFunction) -> CheckFunction:
        self.mistakes[_id_of(function)] = function
        return function

    def value(self, name: str, kind: type | tuple[type, ...] = object) -> Any:
        """A variable of the learner's program: a tensor, a number, a text, None or a list of these.

        Raises RaisedThere where there is none, NotPassed for one that is not of this `kind`.
        """
        fetched = self._asker.request(Fetch(name=name), Fetched)
        try:
            found = decode_value(fetched.value)
        except ValueError as error:
            raise UnreadableReply(str(error)) from None
        if not isinstance(found, kind):
            wanted = " / ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
            raise NotPassed("value-kind", name=name, expected=wanted, got=type(found).__name__)
        return found

    def out_of_memory(self) -> bool:
        """Whether the learner's process ran out of memory while it was asked: for mistakes."""
        return self._asker.gone is not None and self._asker.gone.outcome is Outcome.OUT_OF_MEMORY


class Reports:
    """What the learner's process says of itself."""

    def __init__(self, asker: LearnerAsker) -> None:
        self._asker = asker
        self._last: list[Saved] | None = None

    def saved(self, subject: Subject) -> list[Saved]:
        """The tensors that a call of the subject has saved for its backward, each with shape, dtype and bytes."""
        call = self._asker.call(subject.name, subject.drawn())
        self._last = self._asker.request(Report(of=call.number), Reported).saved
        return self._last

    def take_message(self) -> Message | None:
        """What was reported last and not taken since, to be shown; None if nothing was."""
        last, self._last = self._last, None
        if last is None:
            return None
        return Message(code="saved", values={"tensors": str(len(last)), "size": _readable(sum(one.bytes for one in last))})


def _readable(size: int) -> str:
    """Bytes in the largest unit of which there is one: "520 B", "12.5 MiB"."""
    for unit, name in ((MEBIBYTE, "MiB"), (1024, "KiB")):
        if size >= unit:
            return f"{size / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{size} B"


def source_of(source: str, names: Sequence[str]) -> str:
    """The functions of these names at the top level of a source, and all that it imports there."""
    body = ast.parse(source).body
    imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    functions = [node for node in body if isinstance(node, ast.FunctionDef) and node.name in names]
    if missing := {*names} - {node.name for node in functions}:
        raise AuthorFault(f"solution.py defines no function {min(missing)} at top level")
    return ast.unparse(ast.Module([*imports, *functions], type_ignores=[]))


def expect(condition: object, code: str = "expected", said: Mapping[str, str] | None = None, **values: object) -> None:
    """Fail with words of the author's own unless `condition` is true: `said` has them by language."""
    if not condition:
        texts = {f"said.{lang}": text for lang, text in (said or {}).items()}
        raise NotPassed(code if said is None else "expected", **texts, **values)


def _id_of(function: CheckFunction) -> str:
    return function.__name__.replace("_", "-")
