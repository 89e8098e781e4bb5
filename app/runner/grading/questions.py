"""The questions that one child of a submission asks the other, on their way through the runner."""

from app.protocol.channel import Answer, Ask
from app.protocol.outcome import Outcome
from app.sandbox.child.child_link import OutOfPlace


class Questions:
    """Those of one direction, of which at most one is `open`.

    Each child counts from 1, the one that asks and the one that is asked. Either may be replaced by a fresh one, which counts anew.
    """

    def __init__(self) -> None:
        self.open = False
        self._asked = 0
        self._passed_on = 0

    def ask(self, ask: Ask) -> Ask:
        """The question as it is passed on. Raises OutOfPlace."""
        if self.open or ask.serial != self._asked + 1:
            raise OutOfPlace(f"question {ask.serial}")
        self.open = True
        self._asked += 1
        self._passed_on = 1 if ask.fresh else self._passed_on + 1
        return Ask(serial=self._passed_on, request=ask.request)

    def answer(self, answer: Answer) -> Answer:
        """The answer as it is passed on. Raises OutOfPlace."""
        if not self.open or answer.serial != self._passed_on or answer.reply is None:
            raise OutOfPlace(f"answer {answer.serial}")
        self.open = False
        return Answer(serial=self._asked, reply=answer.reply)

    def give_up(self, gone: Outcome) -> Answer:
        """What whoever asked is told instead of an answer."""
        self.open = False
        return Answer(serial=self._asked, reply=None, gone=gone)

    def replace_asker(self) -> None:
        self.open = False
        self._asked = 0
