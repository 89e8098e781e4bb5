"""Finds out whether other threads run while a request is answered. AutogradUse does not see what they do. Runs in the learner's child."""

import sys
import threading

# Taken before a learner can replace them.
_set_profile, _get_profile, _threads, _get_ident = threading.setprofile, threading.getprofile, threading.enumerate, threading.get_ident


class OtherThreads:
    """Watches for other threads between `begin` and `end`. If there were any, `names` is not empty."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def begin(self) -> None:
        if tqdm := sys.modules.get("tqdm"):
            tqdm.tqdm.monitor_interval = 0  # keeps its progress bars from starting a thread
        if any(map(_is_other, _threads())):
            self._note()
        self._before = _get_profile()
        _set_profile(self._on_thread_start)

    def end(self) -> None:
        _set_profile(self._before)

    def _note(self) -> None:
        self.names = ["threading.Thread"]

    def _on_thread_start(self, *_: object) -> None:
        """Record that there is another thread. Python calls this in each thread that starts."""
        self._note()
        sys.setprofile(None)


def _is_other(thread: threading.Thread) -> bool:
    """Return whether a thread is neither this one nor the monitor thread of tqdm's progress bars."""
    return thread.ident != _get_ident() and type(thread).__name__ != "TMonitor"
