"""Wait for a program's threads, as the interpreter does at its end, so that what they print is seen. Runs in the child."""

import threading
import time

FAILED_SECONDS = 1.0  # how long the threads of a program that has failed may go on: its error is what matters

_current_thread, _enumerate = threading.current_thread, threading.enumerate


def wait_for_threads(at_most_seconds: float | None = None) -> None:
    """Return when no thread but this one and daemons is left; the run's deadline ends a wait without end.

    threading._shutdown itself would do so only once in a process, and the warm-up is a program too.
    """
    if not _others():
        return
    for end in reversed(getattr(threading, "_threading_atexits", [])):  # lets the workers of thread pools go home
        end()
    end_time = None if at_most_seconds is None else time.monotonic() + at_most_seconds
    while (others := _others()) and (end_time is None or time.monotonic() < end_time):
        others[0].join(None if end_time is None else max(end_time - time.monotonic(), 0.0))


def _others() -> list[threading.Thread]:
    current = _current_thread()
    return [thread for thread in _enumerate() if thread is not current and not thread.daemon]
