"""Whether a program has other threads while a request is answered. Runs in the learner's child: what they do, AutogradUse does not see."""

import sys
import threading

# Taken before a learner can replace them.
_set_profile, _get_profile, _threads, _get_ident = threading.setprofile, threading.getprofile, threading.enumerate, threading.get_ident


class OtherThreads:
    """Between begin and end, threads are noted that begin or had begun before. `names`: how that is told, empty if there are none."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def begin(self) -> None:
        if tqdm := sys.modules.get("tqdm"):
            tqdm.tqdm.monitor_interval = 0  # its progress bars would begin one
        if any(map(_is_other, _threads())):
            self._note()
        self._before = _get_profile()
        _set_profile(self._note_and_leave)

    def end(self) -> None:
        _set_profile(self._before)

    def _note(self) -> None:
        self.names = ["threading.Thread"]

    def _note_and_leave(self, *_: object) -> None:
        """Python calls this in each thread that begins."""
        self._note()
        sys.setprofile(None)


def _is_other(thread: threading.Thread) -> bool:
    """Whether it is neither this one nor that of tqdm's progress bars."""
    return thread.ident != _get_ident() and type(thread).__name__ != "TMonitor"
