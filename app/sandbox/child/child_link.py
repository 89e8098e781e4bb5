"""Connects a child to the other child of a submission: questions and answers pass through the runner, over the run channel.

Each side numbers its questions from 1 and has at most one open question. A child can be asked while it waits for an answer. So the
learner's own check can call the function that it judges while the grader waits for the judgement. Runs after the fork.
"""

from collections.abc import Callable

import msgspec

from app.protocol.channel import Answer, Ask, Down
from app.runtimes.runtime import Gone, Link
from app.sandbox.framing import read_frame, write_frame


class OutOfPlace(Exception):
    """A frame that is not allowed now: a question while one is open, an answer without a question, or a wrong number."""


class ChildLink:
    """A `Link` (app.runtimes.runtime) over the descriptor of a channel."""

    def __init__(self, channel: int, decoder: "msgspec.msgpack.Decoder[Down]") -> None:
        self.answering: Callable[[bytes], bytes] | None = None
        self._channel = channel
        self._decoder = decoder
        self._asked = 0  # the number of its own questions
        self._waiting = False
        self._answered = 0  # the number of the other side's questions

    def ask(self, request: bytes, *, fresh: bool = False) -> bytes:
        """Return the reply. Raises Gone, ChannelClosed, and OutOfPlace while another question is open."""
        if self._waiting:
            raise OutOfPlace("a question is open")
        self._asked += 1
        self._waiting = True
        try:
            write_frame(self._channel, Ask(serial=self._asked, request=request, fresh=fresh))
            while isinstance(frame := read_frame(self._channel, self._decoder), Ask):
                if self.answering is None:
                    raise OutOfPlace("nobody can answer")
                self._answer(frame, self.answering)
        finally:
            self._waiting = False
        if not isinstance(frame, Answer) or frame.serial != self._asked:
            raise OutOfPlace(f"{type(frame).__name__} is not the answer")
        if frame.reply is None:
            raise Gone(frame.gone)
        return frame.reply

    def serve(self, answer: Callable[[bytes, Link], bytes]) -> None:
        """Answer one question after another, until ChannelClosed or OutOfPlace is raised."""
        while True:
            frame = read_frame(self._channel, self._decoder)
            if not isinstance(frame, Ask):
                raise OutOfPlace(type(frame).__name__)
            self._answer(frame, lambda request: answer(request, self))

    def _answer(self, ask: Ask, answer: Callable[[bytes], bytes]) -> None:
        self._answered += 1
        if ask.serial != self._answered:
            raise OutOfPlace(f"question {ask.serial} instead of {self._answered}")
        write_frame(self._channel, Answer(serial=ask.serial, reply=answer(ask.request)))
