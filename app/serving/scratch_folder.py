"""The folder for the files of a runner's runs. Folders that killed runners have left are removed."""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from app.sandbox.scratch.scratch import remove_folder
from app.settings import Settings

SCRATCH_PREFIX = "gradroom-runner-"


@contextlib.contextmanager
def scratch_folder(settings: Settings) -> Iterator[Path]:
    """Make a folder for this runner's files, and remove it at the end. A lock shows other runners that the folder is in use."""
    parent = Path(settings.scratch_folder or tempfile.gettempdir())
    remove_abandoned(parent)
    folder = tempfile.mkdtemp(prefix=SCRATCH_PREFIX, dir=parent)
    try:
        with locked(Path(folder)):
            yield Path(folder)
    finally:
        remove_folder(folder)


def remove_abandoned(parent: Path) -> None:
    """Remove this user's folders of killed runners. No runner has a lock on such a folder."""
    for folder in parent.glob(f"{SCRATCH_PREFIX}*"):
        with contextlib.suppress(OSError):
            if not folder.is_symlink() and folder.stat().st_uid == os.geteuid():
                with locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    remove_folder(str(folder))


@contextlib.contextmanager
def locked(folder: Path, how: int = fcntl.LOCK_SH) -> Iterator[None]:
    """Lock a folder in this context. Raises BlockingIOError if `how` says not to wait and another process has the lock."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, how)
        yield
    finally:
        os.close(lock)
