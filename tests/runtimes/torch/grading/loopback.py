"""Grades a submission within one process, with a link between both sides that counts the questions."""

from collections.abc import Callable

from app.protocol.grading import CheckResult, Examination, Rubric, Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import Source
from app.runtimes.positions import Sources
from app.runtimes.runtime import Gone
from app.runtimes.torch.calls.learner_server import LearnerServer
from app.runtimes.torch.grading.examination import examine


class Loopback:
    """Executes `program` in a new namespace, and again for each `fresh` question."""

    def __init__(self, program: str, *, gone_after: int | None = None, change: Callable[[int, bytes], bytes] | None = None) -> None:
        self.answering: Callable[[bytes], bytes] | None = None
        self.asked = 0
        self._program, self._gone_after, self._change = program, gone_after, change
        self.names: dict[str, object] = {}  # what the program can use besides builtins
        self.replay: list[Source] = []  # the sources executed before the program
        self._server: LearnerServer | None = None

    def _start(self) -> LearnerServer:
        sources = Sources()
        namespace: dict[str, object] = {"__name__": "__main__", **self.names}
        for source in [*self.replay, Source(text=self._program)]:
            exec(compile(source.text, sources.register(source), "exec"), namespace)
        server = LearnerServer(namespace, sources)
        server.link = _Back(self)
        return server

    def ask(self, request: bytes, *, fresh: bool = False) -> bytes:
        self.asked += 1
        if self._gone_after is not None and self.asked > self._gone_after:
            raise Gone(Outcome.TIMED_OUT)
        if fresh or self._server is None:
            self._server = self._start()
        reply = self._server.answer(request)
        return reply if self._change is None else self._change(self.asked, reply)


class _Back:
    """The connection from the learner's side to the grader's."""

    answering: Callable[[bytes], bytes] | None = None

    def __init__(self, loopback: Loopback) -> None:
        self._loopback = loopback
        self.asked = 0

    def ask(self, request: bytes, *, fresh: bool = False) -> bytes:
        self.asked += 1
        assert self._loopback.answering is not None
        return self._loopback.answering(request)


def grade(program: str, exercise: Rubric, *, seed: int = 7, link: Loopback | None = None) -> Verdict:
    reported: list[CheckResult] = []
    verdict = examine(Examination(exercise=exercise, sources=[program], seed=seed), link or Loopback(program), reported.append)
    assert reported == verdict.checks
    return verdict


def codes(verdict: Verdict) -> dict[str, str | None]:
    """Return the code of each check's message, None for a check that is passed."""
    return {check.id: None if check.passed or check.message is None else check.message.code for check in verdict.checks}
