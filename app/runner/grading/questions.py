"""The questions that one child of a submission asks the other, on their way through the runner."""

from app.protocol.channel import Answer, Ask
from app.protocol.outcome import Outcome
from app.sandbox.child.child_link import OutOfPlace


class Questions:
    """The questions of one direction. At most one is open at a time.

    Each child counts its questions from 1. A fresh child that replaces it starts at 1 again, so the serial numbers are translated here.
    """

    def __init__(self) -> None:
        self.open = False
        self._asked = 0
        self._passed_on = 0

    def ask(self, ask: Ask) -> Ask:
        """Return the question with the serial number that its receiver expects. Raises OutOfPlace."""
        if self.open or ask.serial != self._asked + 1:
            raise OutOfPlace(f"question {ask.serial}")
        self.open = True
        self._asked += 1
        self._passed_on = 1 if ask.fresh else self._passed_on + 1
        return Ask(serial=self._passed_on, request=ask.request)

    def answer(self, answer: Answer) -> Answer:
        """Return the answer with the serial number that the asking child expects. Raises OutOfPlace."""
        if not self.open or answer.serial != self._passed_on or answer.reply is None:
            raise OutOfPlace(f"answer {answer.serial}")
        self.open = False
        return Answer(serial=self._asked, reply=answer.reply)

    def give_up(self, gone: Outcome) -> Answer:
        """Return an answer to the open question in place of the child that should give it, because that child has ended.

        `gone`: how it ended.
        """
        self.open = False
        return Answer(serial=self._asked, reply=None, gone=gone)

    def replace_asker(self) -> None:
        """Expect the questions of a fresh child, which counts from 1."""
        self.open = False
        self._asked = 0
