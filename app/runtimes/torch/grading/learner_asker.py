"""Sends requests to the learner's process, and refuses answers that used what the exercise rules out. Runs in the grader's child.

A process that runs out of memory may report this, or the kernel may kill it first. Which of the two happens depends on the machine, but the
verdict must not, so both count as the end of the process. After such a report the process gets no more requests. A false report can
therefore only make checks fail.
"""

from msgspec import structs

from app.protocol.calls import Call, Called, Define, Fetched, Judge, Judgement, Pull, Request
from app.protocol.outcome import Outcome
from app.runtimes.runtime import Gone
from app.runtimes.torch.calls.remote_graph import Ask, Asker, RaisedThere, UnreadableReply, Wanted
from app.runtimes.torch.grading.use_rules import UseRules


class LearnerAsker(Asker):
    """Sends requests to the learner's process. `gone` says how that process ended, None while it runs.

    `rules` say what the process may use to compute its answers.
    """

    def __init__(self, ask: Ask, rules: UseRules) -> None:
        super().__init__(ask)
        self._rules = rules
        self._given: list[Define] = []
        self.gone: Gone | None = None

    def define_first(self, given: Define) -> None:
        """Send `given` before the next request."""
        self._given.append(given)

    def request(self, request: Request, wanted: type[Wanted]) -> Wanted:
        """Return the reply, as Asker.request does.

        Raises Gone if the process has ended, or has reported that it ran out of memory. Raises NotPassed if the answer used what the
        exercise rules out.
        """
        if self.gone is not None:
            raise Gone(self.gone.outcome)
        while self._given:
            self.request(self._given.pop(0), Fetched)
        if self._rules.watches and isinstance(request, (Call, Pull, Judge)):
            request = structs.replace(request, watch=True)
        try:
            reply = super().request(request, wanted)
        except Gone as gone:
            self.gone = gone
            raise
        except RaisedThere as error:
            if not error.raised.out_of_memory:
                raise
            self.gone = Gone(Outcome.OUT_OF_MEMORY)
            raise self.gone from None
        if self._rules.watches and isinstance(reply, (Called, Judgement)):
            if reply.used is None:
                raise UnreadableReply("it does not say what it used")
            self._rules.check(request, reply.used)
        return reply
