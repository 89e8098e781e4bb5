"""A runtime without a framework, which is warm at once, for tests of the processes around a runtime."""

import itertools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from app.protocol.channel import Over
from app.protocol.grading import CheckResult, Examination, Message, Verdict
from app.protocol.records.graph import GraphNode, GraphRecord
from app.protocol.records.record import Span
from app.protocol.records.unknown import UnknownRecord
from app.protocol.run import Program, RunError
from app.runtimes.failure import classify
from app.runtimes.runtime import Emit, Gone, Link


class BareRuntime:
    """Executes a program. The program can call `show_graph`, and `show_hologram`, which makes a record of an unknown kind.

    Its function `answer(request, link)` answers requests. An examination's `checks` are Python that defines `examine(link, tell)`.
    """

    name = "bare"
    versions: dict[str, str] = {}
    is_complete = False
    _names: dict[str, Any]

    def preload(self) -> None:
        """Import what the self-check needs: Python may be in a folder that a run cannot read."""
        import_module("app.sandbox.verification.attacks")

    def warm_up(self) -> None: ...

    def complete(self) -> None:
        type(self).is_complete = True

    def touch(self) -> None: ...

    def execute(self, program: Program, emit: Emit) -> Over:
        graphs = itertools.count(1)

        def show_graph() -> None:
            emit(GraphRecord(id=f"graph-{next(graphs)}", nodes=[GraphNode(id="x", kind="leaf", label="x")]))

        def show_hologram() -> None:
            emit(
                UnknownRecord(
                    id="hologram-1",
                    unknown_kind="hologram",
                    span=Span(line=1),
                    title="seen from three sides",
                    fields={"depth": [1, {"far": None}]},
                )
            )

        names: dict[str, Any] = {"__name__": "__main__", "show_graph": show_graph, "show_hologram": show_hologram}
        self._names = names
        try:
            exec(compile(program.source.text, "<source>", "exec"), names)
        except BaseException as error:
            return Over(ending=classify(error), error=RunError(type=type(error).__name__, message=str(error)))
        return Over(ending="finished")

    def answer(self, request: bytes, link: Link) -> bytes:
        reply: bytes = self._names["answer"](request, link)
        return reply

    def examine(self, examination: Examination, link: Link, tell: Callable[[CheckResult], None]) -> Verdict:
        names: dict[str, Any] = {
            "CheckResult": CheckResult,
            "Message": Message,
            "Verdict": Verdict,
            "Gone": Gone,
            "examination": examination,
        }
        exec(examination.exercise.checks, names)
        verdict: Verdict = names["examine"](link, tell)
        return verdict
