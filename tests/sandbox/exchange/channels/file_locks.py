# by: flock on a library's file
# expected: closed
library = os.open(os.__file__, os.O_RDONLY)


def act(bit, k, end):
    fcntl.flock(library, fcntl.LOCK_EX if bit else fcntl.LOCK_UN)


def look(k, begin, end):
    wait((begin + end) / 2)
    try:
        fcntl.flock(library, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return 1.0
    fcntl.flock(library, fcntl.LOCK_UN)
    return 0.0
