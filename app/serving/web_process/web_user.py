"""The ordinary user that web becomes permanently if root starts it, so that the process that faces the network has no special rights.

docs/decisions/0018-web-leaves-root.md explains why this user has a uid of its own, and what happens to folders that other users may not
enter. Web imports only the system calls of app.sandbox, and only when a function of this module is called.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from app.serving.command_refused import CommandRefused
from app.settings import PREFIX, PROJECT, Settings

OWN_FOLDERS = ("app", "templates")


def has_web_user(settings: Settings) -> bool:
    """Return whether web changes to another user. Only a process of root can."""
    return os.geteuid() == 0 and settings.web_uid != 0


def open_to_web(folder: Path, settings: Settings) -> None:
    """Let web's user enter a folder of root's, so that web can connect to a socket in it, but do nothing else there."""
    os.chown(folder, -1, settings.web_uid)
    folder.chmod(0o710)


def become_web_user(settings: Settings) -> None:
    """Become web's user if this process is root's. In any case, give up every way to gain rights. Raises CommandRefused."""
    from app.sandbox import kernel

    try:
        if has_web_user(settings):
            give_state_folder(settings.state_folder, settings.web_uid)
            see_only_needed(settings)
            change_user(settings.web_uid)
            refuse_unreadable(settings)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    except OSError as error:
        raise CommandRefused(f"Web cannot become the user {settings.web_uid}: {error}. {ways_out()}") from None


def verify_web_user(settings: Settings) -> None:
    """Try `become_web_user` in a child process, so that this process stays as it is. Raises CommandRefused if it fails."""
    from app.sandbox.attempt import try_in_fork

    what = f"Web cannot become the user {settings.web_uid}: the attempt"
    if refusal := try_in_fork(lambda: become_web_user(settings), what, worded=(CommandRefused, OSError)):
        raise CommandRefused(refusal)


def give_state_folder(folder: Path, uid: int) -> None:
    """Make the state folder, or give root's folder and its files to the user `uid`. Raises CommandRefused if it belongs to somebody else.

    The files are given only if the folder was root's. In a folder of web's user, an attacker who took over web could have put links.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        owner = os.fstat(opened).st_uid
        if owner not in (0, uid):
            raise CommandRefused(
                f"The state folder {folder} belongs to the user {owner}, so web should be that user: set {PREFIX}WEB_UID={owner}."
            )
        if owner == 0:
            for name in os.listdir(opened):
                give_file(name, opened, uid)
            os.fchown(opened, uid, uid)
    finally:
        os.close(opened)


def give_file(name: str, folder: int, uid: int) -> None:
    """Give a file of root's to the user `uid`. Links, files with a second name, and files that are not regular are left as they are."""
    with contextlib.suppress(OSError):
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        status = os.fstat(file)
        if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_uid == 0:
            os.fchown(file, uid, uid)
        os.close(file)


def see_only_needed(settings: Settings) -> None:
    """Make the folders that web uses reachable, even inside closed folders. Everything else in closed folders is hidden."""
    from app.serving.web_process.open_ways import open_ways

    with contextlib.suppress(PermissionError):  # then it may still be able to read everything
        open_ways(list_needed(settings))


def change_user(uid: int) -> None:
    """Change uid and gid permanently.

    The kernel then clears the signal for the parent's death (prctl(2)), so it is set again.
    """
    from app.sandbox import kernel

    parent, death_signal = os.getppid(), kernel.death_signal()
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if death_signal:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, death_signal)
        if os.getppid() != parent:
            os._exit(1)


def list_needed(settings: Settings) -> list[Path]:
    """Return the folders that web uses."""
    libraries = [Path(path) for path in (sys.prefix, sys.base_prefix, *sys.path) if path and os.path.isdir(path)]
    return [
        PROJECT,
        *libraries,
        settings.lessons_folder,
        *settings.course_folders,
        settings.static_folder,
        settings.state_folder,
        settings.socket.parent,
    ]


def refuse_unreadable(settings: Settings) -> None:
    """Raise CommandRefused for the first path that web needs and this user cannot read."""
    for path in list_read(settings):
        if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
            raise CommandRefused(f"Web would run as the user {settings.web_uid}, who cannot read {path}. {ways_out()}")


def list_read(settings: Settings) -> Iterator[Path]:
    """Iterate over what the web process must be able to read: the project's own files, and the packages of Python's libraries.

    Compiled modules and their folders are left out. Python compiles a module again if it cannot read the compiled one, which another
    process may be writing now, or which root may have made under a strict umask.
    """
    folders = [*(PROJECT / name for name in OWN_FOLDERS), settings.lessons_folder, *settings.course_folders, settings.static_folder]
    for folder in folders:
        yield folder
        yield from (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    for library in map(Path, filter(os.path.lexists, sys.path)):
        yield library
        if library.name == "site-packages":
            yield from library.iterdir()


def ways_out() -> str:
    return (
        f"Let others read it (chmod -R go+rX {PROJECT}), start the server as an ordinary user who can, "
        f"or set {PREFIX}WEB_UID=0 to have what faces the network run as root."
    )
