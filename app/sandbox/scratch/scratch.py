"""Makes, empties and removes the scratch folder of a child that has no tmpfs of its own. Runs in the zygote.

The runner removes what a zygote has left with `python -m app.sandbox.scratch.scratch FOLDER`.

The folder belongs to the child's uid and the zygote's group. A process that becomes the child's uid empties it: it can reach nothing else,
and root without DAC_OVERRIDE, as in the container, could not read what a learner made there.
"""

import contextlib
import itertools
import os
import stat
import sys
from collections.abc import Iterator

_LEVELS = 2  # the levels of folders of our own: the runner's and the zygotes'


def make_scratch(folder: str, name: str, uid: int | None) -> str:
    """Make an empty folder for one child and return its path. Never use a `name` twice: what a learner left may still be there."""
    path = os.path.join(folder, name)
    os.mkdir(path, 0o770)
    os.chmod(path, 0o770)
    if uid is not None:
        os.chown(path, uid, -1)
    return path


def start_emptying(path: str, uid: int | None) -> int | None:
    """Start a process that removes what a learner left. Return its pid; None if the folder is empty or the fork fails."""
    if is_empty(path):
        return None
    try:
        pid = os.fork()
    except OSError:
        return None
    if pid == 0:
        _empty_as(path, uid)
    return pid


def remove_scratch(path: str) -> None:
    """Remove the folder if it is empty. Otherwise it stays until the zygote's folder is removed."""
    with contextlib.suppress(OSError):
        os.rmdir(path)


def is_empty(path: str) -> bool:
    """Return whether this process can read the folder and nothing is in it."""
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is None
    except OSError:
        return False


def _empty_as(path: str, uid: int | None) -> None:
    try:
        if uid is not None:
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        os.chmod(path, 0o700)  # a learner may have changed its mode
        empty_folder(path)
    finally:
        os._exit(0)


def remove_folder(path: str) -> None:
    """Remove a folder of the runner's or a zygote's with all scratch folders in it. Several processes may do this at the same time."""
    with contextlib.suppress(OSError):
        if os.geteuid() == 0:
            _empty_foreign(path, _LEVELS)
        empty_folder(path)
        os.rmdir(path)


def _empty_foreign(path: str, levels: int) -> None:
    """Empty the folders that belong to runs' uids, each in a process of that uid."""
    for entry in os.scandir(path):
        with contextlib.suppress(FileNotFoundError):
            if entry.is_dir(follow_symlinks=False):
                owner = entry.stat(follow_symlinks=False).st_uid
                if owner == 0 and levels:
                    _empty_foreign(entry.path, levels - 1)
                elif emptier := start_emptying(entry.path, owner):
                    os.waitpid(emptier, 0)


def empty_folder(path: str) -> None:
    """Remove everything in a folder, following no links. Contents of subfolders are moved up first, so that no depth is too great."""
    root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    fresh = itertools.count()
    while names := os.listdir(root):
        for name in names:
            if not _unlink(name, root):
                with contextlib.suppress(FileNotFoundError):
                    _lift_contents(name, root, fresh)
    os.close(root)


def _unlink(name: str, root: int) -> bool:
    """Remove a file, a link or an empty folder. Return False for a folder that is not empty."""
    for remove in (os.unlink, os.rmdir):
        with contextlib.suppress(OSError):
            remove(name, dir_fd=root)
            return True
    return False


def _lift_contents(name: str, root: int, fresh: Iterator[int]) -> None:
    """Move everything in a folder up to the root, under new names."""
    _unlock(name, root)
    folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=root)
    for entry in os.listdir(folder):
        _unlock(entry, folder)  # moving a folder changes its entry "..", for which its owner needs the right to write
        with contextlib.suppress(FileNotFoundError):
            os.rename(entry, f".gone-{next(fresh)}-{os.getpid()}", src_dir_fd=folder, dst_dir_fd=root)
    os.close(folder)


def _unlock(name: str, above: int) -> None:
    """Give a folder's owner all rights to it. Does nothing if it is not a folder."""
    with contextlib.suppress(OSError):
        if stat.S_ISDIR(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
            os.chmod(name, 0o700, dir_fd=above)


if __name__ == "__main__":
    remove_folder(sys.argv[1])
