"""The scratch folders of a zygote's children that have no tmpfs of their own: made, measured during a run, emptied after it.

Measuring and emptying a folder may take long, so helper processes with the child's rights do it. The zygote can fork meanwhile. The zygote
reaps the helpers together with its children, and passes each helper's exit to `on_helper_exit`. Runs in the zygote.
"""

import secrets
from collections.abc import Callable

from app.sandbox.confinement.confinement import Identity
from app.sandbox.scratch.measuring import start_measuring, verdict_of
from app.sandbox.scratch.reserve import Reserve
from app.sandbox.scratch.scratch import is_empty, make_scratch, remove_scratch, start_emptying


class ScratchFolders:
    """All scratch folders in one private folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._made = 0
        self._reserve = Reserve(folder)
        self.helpers: dict[int, Callable[[int], None]] = {}  # by the pid of each that runs: the function to call with its exit status

    def on_helper_exit(self, helper: int, status: int) -> None:
        """Pass the exit status of the helper with the pid `helper`, from wait(2), to the function that waits for it."""
        self.helpers.pop(helper)(status)

    def make(self, uid: int | None) -> str:
        """Make an empty folder for the next child and return its path. Raises OSError.

        The folder's name is random. A process that knew the name could see from the folder's times when something is done there.
        """
        self._made += 1
        return make_scratch(self._folder, f"{self._made}-{secrets.token_hex(16)}", uid)

    def measure(self, pid: int, identity: Identity, scratch_bytes: int, scratch_inodes: int, report: Callable[[bool | None], None]) -> None:
        """Call `report`, during this call or later, with whether the child's files are within these bounds; None means unknown."""
        if self._reserve.suspects(pid, scratch_bytes, scratch_inodes):
            report(False)
        elif is_empty(identity.scratch):
            report(True)
        else:
            try:
                helper = start_measuring(identity.scratch, identity.uid, scratch_bytes, scratch_inodes)
            except OSError:
                report(None)
            else:
                self.helpers[helper] = lambda status: report(verdict_of(status))

    def clean_up(self, pid: int, identity: Identity, done: Callable[[], None]) -> None:
        """Remove the scratch of a child that has ended, then call `done`. This may happen after the method has returned."""

        def remove(_: int = 0) -> None:
            remove_scratch(identity.scratch)
            done()

        self._reserve.forget(pid)
        helper = start_emptying(identity.scratch, identity.uid)
        if helper is None:
            remove()
        else:
            self.helpers[helper] = remove
