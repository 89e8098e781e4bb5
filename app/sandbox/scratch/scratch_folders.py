"""The scratch folders of a zygote's children that cannot have a tmpfs each: made, measured while a run lasts, emptied after it.

Measuring and emptying a folder may take long, so helpers do it: processes with the rights of the child and no others. The zygote goes on
forking meanwhile, reaps the helpers with its children, and passes each to `take`. Runs in the zygote.
"""

import secrets
from collections.abc import Callable, Collection

from app.sandbox.confinement.confinement import Identity
from app.sandbox.scratch.measuring import start_measuring, verdict_of
from app.sandbox.scratch.reserve import Reserve
from app.sandbox.scratch.scratch import is_empty, make_scratch, remove_scratch, start_emptying


class ScratchFolders:
    """All in one private folder. A child is known by its pid."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._made = 0
        self._reserve = Reserve(folder)
        self._helpers: dict[int, Callable[[int], None]] = {}  # by pid: what to do with the status it ends with

    @property
    def helpers(self) -> Collection[int]:
        """The pids of the helpers that are running."""
        return self._helpers.keys()

    def take(self, helper: int, status: int) -> None:
        """A helper has ended, with this status of wait(2)."""
        self._helpers.pop(helper)(status)

    def make(self, uid: int | None) -> str:
        """Make an empty folder for the next child. Raises OSError.

        No other run can guess its name: a folder's times tell everybody who can name it what is done there.
        """
        self._made += 1
        return make_scratch(self._folder, f"{self._made}-{secrets.token_hex(16)}", uid)

    def measure(self, pid: int, identity: Identity, scratch_bytes: int, scratch_inodes: int, tell: Callable[[bool | None], None]) -> None:
        """Call `tell`, now or later, with whether the child's files are within its bounds; with None if that cannot be measured."""
        if self._reserve.suspects(pid, scratch_bytes, scratch_inodes):
            tell(False)
        elif is_empty(identity.scratch):
            tell(True)
        else:
            try:
                helper = start_measuring(identity.scratch, identity.uid, scratch_bytes, scratch_inodes)
            except OSError:
                tell(None)
            else:
                self._helpers[helper] = lambda status: tell(verdict_of(status))

    def clean_up(self, pid: int, identity: Identity, tell: Callable[[], None]) -> None:
        """Remove what a child that has ended left, and then, now or later, call `tell`."""

        def remove(_: int = 0) -> None:
            remove_scratch(identity.scratch)
            tell()

        self._reserve.forget(pid)
        helper = start_emptying(identity.scratch, identity.uid)
        if helper is None:
            remove()
        else:
            self._helpers[helper] = remove
