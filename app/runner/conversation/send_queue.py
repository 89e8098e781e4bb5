"""Sends frames to a child and packets to a zygote, in order and as soon as there is room. Nothing is lost while the receiver lives."""

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable, Sequence


class SendQueue:
    """The sending side of a socket. `on_broken`: called when packets can no longer be sent, although the other end is not closed.

    Sending to a receiver that has ended raises nothing: the code that reads from it notices its end.
    """

    def __init__(self, channel: socket.socket, on_broken: Callable[[str], None] = lambda _: None) -> None:
        self._channel = channel
        self._on_broken = on_broken
        self._unsent: deque[tuple[bytes, Sequence[int]]] = deque()
        self._loop = asyncio.get_running_loop()

    def send(self, packet: bytes, descriptors: Sequence[int] = ()) -> None:
        """Send a packet with descriptors, which are closed here once they are sent."""
        self._unsent.append((packet, descriptors))
        self._flush()

    def _flush(self) -> None:
        try:
            while self._unsent:
                packet, descriptors = self._unsent[0]
                sent = socket.send_fds(self._channel, [packet], descriptors)
                self._drop_first()
                if sent < len(packet):  # only a stream socket accepts a part of a packet
                    self._unsent.appendleft((packet[sent:], ()))
            self._loop.remove_writer(self._channel.fileno())
        except BlockingIOError:
            self._loop.add_writer(self._channel.fileno(), self._flush)
        except (BrokenPipeError, ConnectionResetError):
            self.close()  # the other end is closed: the reader notices, and may still read the last message
        except OSError as error:
            self.close()
            self._loop.call_soon(self._on_broken, str(error))

    def close(self) -> None:
        """Drop what has not been sent. The socket is not closed."""
        self._loop.remove_writer(self._channel.fileno())
        while self._unsent:
            self._drop_first()

    def _drop_first(self) -> None:
        for descriptor in self._unsent.popleft()[1]:
            os.close(descriptor)
