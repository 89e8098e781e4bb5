"""The module `gradroom` that an author's checks.py imports. It exists only in the grader's child, for one examination."""

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from app.protocol.calls import Define, Fetch, Fetched, Report, Reported, Saved
from app.protocol.grading import Message
from app.protocol.limits import MEBIBYTE
from app.protocol.outcome import Outcome
from app.runtimes.torch.calls.remote_graph import UnreadableReply
from app.runtimes.torch.calls.tensor_data import decode_value
from app.runtimes.torch.grading.checks.function_pair import ReferenceSide, Side
from app.runtimes.torch.grading.checks.subject import Subject
from app.runtimes.torch.grading.draws import Draws
from app.runtimes.torch.grading.learner_asker import LearnerAsker
from app.runtimes.torch.grading.not_passed import AuthorFault, NotPassed

MODULE = "gradroom"
CheckFunction = Callable[[], object]


class Vocabulary:
    """The names that one checks.py can use, and the functions that it registers.

    `checks` and `mistakes` have the registered functions by id, in the order of registration. `reported` has the ids of checks that do not
    count, because they only repeat what the learner's process reports of itself. `solution` is what solution.py defines, and `source` is
    the text of solution.py.
    """

    def __init__(self, asker: LearnerAsker, solution: Mapping[str, Any], source: str, draws: Draws) -> None:
        self.checks: dict[str, CheckFunction] = {}
        self.mistakes: dict[str, CheckFunction] = {}
        self.reported: set[str] = set()
        self.reports = Reports(asker)
        self._asked: dict[tuple[str, str], bool] = {}  # shared by all subjects
        self._asker, self._solution, self._source, self._draws = asker, solution, source, draws

    @contextmanager
    def importable(self) -> Iterator[None]:
        """Within the block, `import gradroom` finds a module with these names."""
        module = sys.modules[MODULE] = ModuleType(MODULE)
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
        try:
            yield
        finally:
            sys.modules.pop(MODULE, None)

    def subject(self, name: str, arguments: Callable[[], Any], like: Any = None) -> Subject:
        """Return the Subject of this name. `like` is the reference; by default it is what solution.py defines under the same name."""
        found = self._solution.get(name) if like is None else like
        reference = None if found is None else ReferenceSide(found, name)
        subject = Subject(name, arguments, Side(self._asker, name), reference, self._draws)
        subject.asked = self._asked
        return subject

    def given(self, *names: str, source: str | None = None) -> None:
        """Let calls of these names use the author's functions, even if the program changed its own: learners are asked not to change them.

        The functions are those of solution.py, or those that the text `source` defines. The code in `source` can use the program's other
        names and `with_scaled`.
        """
        self._asker.define_first(Define(source=source_of(self._source, names) if source is None else source, names=list(names)))

    def check(self, function: CheckFunction | None = None, *, reported: bool = False) -> Any:
        """A decorator that registers a check. The check's id is the function's name with `-` for `_`."""

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
        """Return a variable of the learner's program: a tensor, a number, a text, None or a list of these.

        Raises RaisedThere if it is not defined, and NotPassed if it is not of this `kind`.
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
        """Return whether the learner's process has run out of memory. A function that recognises a mistake can use this."""
        return self._asker.gone is not None and self._asker.gone.outcome is Outcome.OUT_OF_MEMORY


class Reports:
    """The object `reported` of a checks.py: what the learner's process reports of itself."""

    def __init__(self, asker: LearnerAsker) -> None:
        self._asker = asker
        self._last: list[Saved] | None = None

    def saved(self, subject: Subject) -> list[Saved]:
        """Return the tensors that a call of the subject has saved for its backward, each with shape, dtype and bytes."""
        call = self._asker.call(subject.name, subject.drawn())
        self._last = self._asker.request(Report(of=call.number), Reported).saved
        return self._last

    def take_message(self) -> Message | None:
        """Return a message about the latest report, and forget this report; None if nothing was reported since the last call."""
        last, self._last = self._last, None
        if last is None:
            return None
        return Message(code="saved", values={"tensors": str(len(last)), "size": _readable(sum(one.bytes for one in last))})


def _readable(size: int) -> str:
    """Return a number of bytes with its unit, such as "520 B" or "12.5 MiB"."""
    for unit, name in ((MEBIBYTE, "MiB"), (1024, "KiB")):
        if size >= unit:
            return f"{size / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{size} B"


def source_of(source: str, names: Sequence[str]) -> str:
    """Return the functions of these names at the top level of a source, and all its imports there, as source.

    Raises AuthorFault if a function is missing.
    """
    body = ast.parse(source).body
    imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    functions = [node for node in body if isinstance(node, ast.FunctionDef) and node.name in names]
    if missing := {*names} - {node.name for node in functions}:
        raise AuthorFault(f"solution.py defines no function {min(missing)} at top level")
    return ast.unparse(ast.Module([*imports, *functions], type_ignores=[]))


def expect(condition: object, code: str = "expected", said: Mapping[str, str] | None = None, **values: object) -> None:
    """Raise NotPassed unless `condition` is true. `said` has the author's own words by language."""
    if not condition:
        texts = {f"said.{lang}": text for lang, text in (said or {}).items()}
        raise NotPassed(code if said is None else "expected", **texts, **values)


def _id_of(function: CheckFunction) -> str:
    return function.__name__.replace("_", "-")
