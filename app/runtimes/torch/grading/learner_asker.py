"""Asks the learner's process, for as long as that has memory and does by itself what it is asked. Runs in the grader's child.

A process that says that it ran out of memory counts as one that the kernel ended for it: which of both comes first depends on the machine,
and what is told does not. So nothing is asked of it after that, and its word can only make a check fail.
"""

from collections.abc import Callable

from app.protocol.calls import Called, Define, Fetched, Judgement, Request
from app.protocol.outcome import Outcome
from app.runtimes.runtime import Gone
from app.runtimes.torch.calls.remote_graph import Ask, Asker, RaisedThere, Wanted
from app.runtimes.torch.grading.failing import NotPassed


class LearnerAsker(Asker):
    """`gone`: how its process ended, once it has. `may_use_autograd`: while a request is answered."""

    def __init__(self, ask: Ask, may_use_autograd: Callable[[Request], bool]) -> None:
        super().__init__(ask)
        self._may_use_autograd = may_use_autograd
        self._given: Define | None = None
        self.gone: Gone | None = None

    def give(self, given: Define) -> None:
        """What is asked first, once there is something to ask."""
        self._given = given

    def request(self, request: Request, wanted: type[Wanted]) -> Wanted:
        """See Asker.request. Raises Gone also where the process says that memory ran out, and ever after, and NotPassed where autograd
        went back through a graph that may not."""
        if self.gone is not None:
            raise Gone(self.gone.outcome)
        if self._given is not None:
            given, self._given = self._given, None
            self.request(given, Fetched)
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
        if isinstance(reply, (Called, Judgement)) and reply.backwards and not self._may_use_autograd(request):
            raise NotPassed("autograd-used")
        return reply
