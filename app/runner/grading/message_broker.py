"""Passes frames between the two children of a submission, the grader's and the learner's, without reading what is in them.

Frames are counted and capped, and each must come where the protocol allows it. If the learner's child sends a frame out of place, that
child is ended and the grader's child is told so. If the grader's child does, there is no verdict.
"""

import asyncio
from collections.abc import Callable

from app.protocol.calls import ANSWERED_BYTES, QUESTIONS
from app.protocol.channel import Answer, Ask, Checked, Examine, Judged, Up
from app.protocol.event import Stderr, Stdout
from app.protocol.grading import CHECKS, CheckResult, Examination, Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import RunOrder
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Caps, Conversation, Cut, Item
from app.runner.grading.learner import Learner
from app.runner.runs.run_children import RunChildren
from app.sandbox.child.child_link import OutOfPlace


class GraderFailed(Exception):
    """The grader's child gave no verdict, or one that contradicts itself. That is our fault or the author's.

    `gone`: whether its process has ended.
    """

    def __init__(self, reason: str, *, gone: bool = False) -> None:
        super().__init__(reason)
        self.gone = gone


class RelayStopped(Exception):
    """The run was stopped while it was graded."""


class Questions:
    """The questions that one child asks the other. At most one is open at a time.

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


class MessageBroker:
    """Relays frames between the two children. Await `relay` once.

    `publish`: called with each check when it is decided. `checks`: the decided checks by id.
    """

    def __init__(self, order: RunOrder, children: RunChildren, publish: Callable[[CheckResult], None]) -> None:
        self.checks: dict[str, CheckResult] = {}
        self._children = children
        self._publish = publish
        self._grader: Conversation
        self._learner = Learner(order, children, self._on_learner, self._on_learner_gone, self._fail)
        self._to_learner = Questions()
        self._to_grader = Questions()  # open only while the learner's child is answering a question of the grader's
        # what the learner's children together may still send to the grader's child; less than what the grader's child may send
        self._questions_left, self._bytes_left = QUESTIONS, ANSWERED_BYTES
        self._judged: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self._judged.add_done_callback(
            lambda judged: judged.cancelled() or judged.exception()
        )  # marks the exception as retrieved, in case nobody awaits it

    async def relay(self, grader: ChildHandle, caps: Caps, learner: ChildHandle, examination: Examination) -> Verdict:
        """Return the verdict of the grader's child. Raises GraderFailed, RelayStopped and ChildLost."""
        self._grader = Conversation(grader, caps, self._on_grader)
        self._children.attach(self._grader)
        self._learner.take(learner)
        self._grader.send(Examine(examination))
        try:
            return await self._judged
        finally:
            self._grader.close()
            await self._learner.close()

    def _fail(self, fault: BaseException) -> None:
        if not self._judged.done():
            self._judged.set_exception(fault)

    # frames of the grader's child

    def _on_grader(self, item: Item | Cut) -> None:
        try:
            match item:
                case Cut.STOPPED:
                    self._fail(RelayStopped())
                case Cut():
                    self._fail_without_verdict(item)
                case Stdout() | Stderr():
                    pass
                case _:
                    self._take_from_grader(item)
        except OutOfPlace as error:
            self._fail(GraderFailed(f"it sent what has no place: {error}"))
        except Exception as error:  # this is a callback, so nobody else would see the exception
            self._fail(error)

    def _fail_without_verdict(self, cut: Cut) -> None:
        words, _ = self._grader.last_words()
        reason = f"no verdict: {cut.name.lower().replace('_', ' ')}: {words.decode(errors='replace')}"
        self._fail(GraderFailed(reason, gone=cut is Cut.GONE))

    def _take_from_grader(self, frame: Up) -> None:
        match frame:
            case Ask():
                self._ask_learner(frame)
            case Answer():
                self._answer_learner(self._to_grader.answer(frame))
            case Checked() if not self._to_learner.open:
                self._record_check(frame.check)
            case Judged() if not self._to_learner.open:
                if not self._judged.done():
                    self._judged.set_result(frame.verdict)
            case _:
                raise OutOfPlace(type(frame).__name__)

    def _ask_learner(self, frame: Ask) -> None:
        ask = self._to_learner.ask(frame)
        self._grader.rest()
        if frame.fresh:
            self._to_grader.replace_asker()
            self._learner.replace(lambda: self._pass_to_learner(ask))
        else:
            self._pass_to_learner(ask)

    def _answer_learner(self, answer: Answer) -> None:
        """Pass on an answer to the learner's check. If the check asks too much, only the learner's child is ended."""
        self._grader.rest()
        self._questions_left -= 1
        self._bytes_left -= len(answer.reply or b"")
        if min(self._questions_left, self._bytes_left) >= 0:
            self._pass_to_learner(answer)
        else:
            self._learner.lose(Outcome.OUTPUT_LIMIT)

    def _pass_to_learner(self, frame: Ask | Answer) -> None:
        self._learner.send(frame)
        self._on_learner_gone()

    def _record_check(self, check: CheckResult) -> None:
        if check.id in self.checks or len(self.checks) == CHECKS:
            raise OutOfPlace(f"check {check.id}")
        self.checks[check.id] = check
        self._publish(check)

    # frames of the learner's child

    def _on_learner(self, frame: Up) -> None:
        try:
            self._pass_to_grader(self._take_from_learner(frame))
        except OutOfPlace:
            self._learner.lose(Outcome.CRASHED)
        except Exception as error:  # this is a callback, so nobody else would see the exception
            self._fail(error)

    def _take_from_learner(self, frame: Up) -> Ask | Answer:
        """Return the frame in the form in which the grader's child gets it. Raises OutOfPlace."""
        if self._to_grader.open or not self._to_learner.open:
            raise OutOfPlace(type(frame).__name__)
        if isinstance(frame, Answer):
            return self._to_learner.answer(frame)
        if isinstance(frame, Ask) and not frame.fresh:
            return self._to_grader.ask(frame)
        raise OutOfPlace(type(frame).__name__)

    def _on_learner_gone(self) -> None:
        """If the learner's child has ended, answer the grader's open question in its place.

        If the grader's child is itself answering a question, nothing is sent yet, because it must answer first.
        """
        outcome = self._learner.outcome
        if outcome and self._to_learner.open and not self._to_grader.open:
            self._pass_to_grader(self._to_learner.give_up(outcome))

    def _pass_to_grader(self, frame: Ask | Answer) -> None:
        self._learner.rest()
        self._grader.send(frame)
