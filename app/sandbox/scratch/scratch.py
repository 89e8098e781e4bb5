"""A child's scratch folder where it cannot have a tmpfs of its own. Runs in the zygote.

What a zygote that is gone has left is removed by `python -m app.sandbox.scratch.scratch FOLDER`, which the runner starts.

The folder belongs to the child's uid and the zygote's group. A root without DAC_OVERRIDE (the container's) cannot look
into what a learner made there, so the emptying is done by a process that becomes that uid and so cannot reach anything else.
"""

import contextlib
import itertools
import os
import stat
import sys
from collections.abc import Iterator

_LEVELS = 2  # of folders of ours: the runner's, a zygote's


def make_scratch(folder: str, name: str, uid: int | None) -> str:
    """A new empty folder for one child. `name` must never have been used before: what a learner left may still be there."""
    path = os.path.join(folder, name)
    os.mkdir(path, 0o770)
    os.chmod(path, 0o770)
    if uid is not None:
        os.chown(path, uid, -1)
    return path


def start_emptying(path: str, uid: int | None) -> int | None:
    """Start removing what a learner left, in a process of its own. Returns its pid; None if nothing is there, or it cannot be forked."""
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
    """Remove the emptied folder; one that could not be emptied stays, and goes with the zygote's own."""
    with contextlib.suppress(OSError):
        os.rmdir(path)


def is_empty(path: str) -> bool:
    """True if this process may list the folder and there is nothing in it."""
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
        os.chmod(path, 0o700)  # a learner may have closed it
        empty_folder(path)
    finally:
        os._exit(0)


def remove_folder(path: str) -> None:
    """Remove a folder of ours and all scratch folders in it, whatever learners left there, while others may do the same. Waits for that."""
    with contextlib.suppress(OSError):
        if os.geteuid() == 0:
            _empty_foreign(path, _LEVELS)
        empty_folder(path)
        os.rmdir(path)


def _empty_foreign(path: str, levels: int) -> None:
    """Empty what belongs to the uids of runs, each as that uid."""
    for entry in os.scandir(path):
        with contextlib.suppress(FileNotFoundError):
            if entry.is_dir(follow_symlinks=False):
                owner = entry.stat(follow_symlinks=False).st_uid
                if owner == 0 and levels:
                    _empty_foreign(entry.path, levels - 1)
                elif emptier := start_emptying(entry.path, owner):
                    os.waitpid(emptier, 0)


def empty_folder(path: str) -> None:
    """Remove everything in a folder, however deep, following no link: each folder is moved up before it is emptied."""
    root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    fresh = itertools.count()
    while names := os.listdir(root):
        for name in names:
            if not _unlink(name, root):
                with contextlib.suppress(FileNotFoundError):
                    _lift_contents(name, root, fresh)
    os.close(root)


def _unlink(name: str, root: int) -> bool:
    """Remove a file, a link or an empty folder; False for a folder that is not empty."""
    for remove in (os.unlink, os.rmdir):
        with contextlib.suppress(OSError):
            remove(name, dir_fd=root)
            return True
    return False


def _lift_contents(name: str, root: int, fresh: Iterator[int]) -> None:
    """Move what is in a folder up to the root under fresh names, so that depth never matters."""
    _unlock(name, root)
    folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=root)
    for entry in os.listdir(folder):
        _unlock(entry, folder)  # moving a folder changes what it says of the one above: its owner needs the right to write
        with contextlib.suppress(FileNotFoundError):
            os.rename(entry, f".gone-{next(fresh)}-{os.getpid()}", src_dir_fd=folder, dst_dir_fd=root)
    os.close(folder)


def _unlock(name: str, above: int) -> None:
    """Give its owner back the rights to a folder, if it is one."""
    with contextlib.suppress(OSError):
        if stat.S_ISDIR(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
            os.chmod(name, 0o700, dir_fd=above)


if __name__ == "__main__":
    remove_folder(sys.argv[1])
