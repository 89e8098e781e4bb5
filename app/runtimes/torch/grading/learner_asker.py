"""Asks the learner's process, for as long as that has memory and does by itself what it is asked. Runs in the grader's child.

A process that says that it ran out of memory counts as one that the kernel ended for it: which of both comes first depends on the machine,
and what is told does not. So nothing is asked of it after that, and its word can only make a check fail.
"""

from msgspec import structs

from app.protocol.calls import Call, Called, Define, Fetched, Judge, Judgement, Pull, Request
from app.protocol.outcome import Outcome
from app.runtimes.runtime import Gone
from app.runtimes.torch.calls.remote_graph import Ask, Asker, RaisedThere, UnreadableReply, Wanted
from app.runtimes.torch.grading.means import Means


class LearnerAsker(Asker):
    """`gone`: how its process ended, once it has. `means`: what it may use to answer."""

    def __init__(self, ask: Ask, means: Means) -> None:
        super().__init__(ask)
        self._means = means
        self._given: Define | None = None
        self.gone: Gone | None = None

    def give(self, given: Define) -> None:
        """What is asked first, once there is something to ask."""
        self._given = given

    def request(self, request: Request, wanted: type[Wanted]) -> Wanted:
        """See Asker.request. Raises Gone also where the process says that memory ran out, and ever after, and NotPassed where it
        used what the exercise rules out."""
        if self.gone is not None:
            raise Gone(self.gone.outcome)
        if self._given is not None:
            given, self._given = self._given, None
            self.request(given, Fetched)
        if self._means.watches and isinstance(request, (Call, Pull, Judge)):
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
        if self._means.watches and isinstance(reply, (Called, Judgement)):
            if reply.used is None:
                raise UnreadableReply("it does not say what it used")
            self._means.check(request, reply.used)
        return reply
