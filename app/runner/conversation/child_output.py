"""What a child prints during one conversation: the text of stdout and stderr, within a common cap."""

import asyncio
from collections.abc import Callable

from app.protocol.event import Stderr, Stdout
from app.runner.conversation.dump import LAST_BYTES
from app.runner.conversation.output_pipe import OutputPipe

_REST_SECONDS = 0.01  # between two looks at a pipe, so that a flood of short lines becomes few texts


class ChildOutput:
    """Reads both pipes.

    `most_bytes`: the cap, for both pipes together. `on_news`: called when there is something to read, and once shortly after the start.
    `on_text`: called with each text. `over_cap`: whether the child wrote more than the cap; the excess is dropped. `stderr`: the end of the
    text on stderr.
    """

    def __init__(
        self,
        stdout: OutputPipe,
        stderr: OutputPipe,
        most_bytes: int,
        on_news: Callable[[], None],
        on_text: Callable[[Stdout | Stderr], None],
    ) -> None:
        self.over_cap = False
        self.stderr = ""
        self._stdout, self._stderr = stdout, stderr
        self._last_byte = stdout.bytes_read + stderr.bytes_read + most_bytes
        self._on_news = on_news
        self._on_text = on_text
        self._loop = asyncio.get_running_loop()
        self._resting = {stdout.descriptor, stderr.descriptor}  # pipes that are not read from for a moment
        self._rest: asyncio.Handle | None = self._loop.call_soon(self._end_rest)

    def read(self) -> None:
        """Read both pipes.

        A pipe that contained something is not read again for `_REST_SECONDS`, so that many short lines become few texts.
        """
        for pipe in (self._stdout, self._stderr):
            before = pipe.bytes_read
            is_open = pipe.read()
            if not is_open or pipe.bytes_read > before:
                self._loop.remove_reader(pipe.descriptor)
                if is_open:
                    self._resting.add(pipe.descriptor)
        if self._resting and not self._rest:
            self._rest = self._loop.call_later(_REST_SECONDS, self._end_rest)
        self._cut_excess()

    def read_again(self, until: int | None = None) -> None:
        """Read stdout up to byte `until`. If `until` is None, read what is in both pipes."""
        if self.over_cap:
            return
        self._stdout.read(until)
        if until is None:
            self._stderr.read()
        self._cut_excess()

    def release(self, until: int | None = None, final: bool = False) -> None:
        """Pass on what was read. `until`: the byte of stdout up to which to do so; None means all. `final`: whether no output follows."""
        if text := self._stdout.release(until, final):
            self._on_text(Stdout(text))
        if text := self._stderr.release(None, final):
            self.stderr = (self.stderr + text)[-LAST_BYTES:]
            self._on_text(Stderr(text))

    def close(self) -> None:
        """Stop reading."""
        if self._rest:
            self._rest.cancel()
        for pipe in (self._stdout, self._stderr):
            self._loop.remove_reader(pipe.descriptor)

    def _end_rest(self) -> None:
        self._rest = None
        while self._resting:
            self._loop.add_reader(self._resting.pop(), self._on_news)
        self._on_news()

    def _cut_excess(self) -> None:
        excess = self._stdout.bytes_read + self._stderr.bytes_read - self._last_byte
        self.over_cap = excess > 0
        for pipe in (self._stdout, self._stderr):
            excess -= pipe.cut(excess)
