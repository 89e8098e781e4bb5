"""Wait for a program's threads, as the interpreter does at its end, so that what they print is seen. Runs in the child."""

import threading

_current_thread, _enumerate = threading.current_thread, threading.enumerate


def wait_for_threads() -> None:
    """Return when no thread but this one and daemons is left; the run's deadline ends a wait without end.

    threading._shutdown itself would do so only once in a process, and the warm-up is a program too.
    """
    if not _others():
        return
    for end in reversed(getattr(threading, "_threading_atexits", [])):  # lets the workers of thread pools go home
        end()
    while others := _others():
        for thread in others:
            thread.join()


def _others() -> list[threading.Thread]:
    current = _current_thread()
    return [thread for thread in _enumerate() if thread is not current and not thread.daemon]
