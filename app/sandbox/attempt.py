"""Tries a step that would change this process for good, in a process of its own. Runs in the runner, the zygote, and `gradroom serve`."""

import os
from collections.abc import Callable


def try_in_fork(step: Callable[[], None], what: str = "the attempt", worded: tuple[type[Exception], ...] = (OSError,)) -> str:
    """Run a step in a forked process. Return its error as text, or an empty string.

    Errors of the classes `worded` are sentences; others are returned with their class. `what` begins the text if the process was killed.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            step()
            status = 0
        except BaseException as error:
            text = (str(error) if isinstance(error, worded) else "") or repr(error)
            os.write(writer, text.encode(errors="replace"))
        finally:
            os._exit(status)
    os.close(writer)
    with open(reader, errors="replace") as answer:
        message = answer.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return (message or f"{what} ended with the status {status}") if status else ""
