# by: a segment of shared memory under a number (shmget)
# expected: closed
libc = ctypes.CDLL(None, use_errno=True)
atexit.register(lambda: libc.shmctl(libc.shmget(4242, 4096, 0), 0, None))


def act(bit, k, end):
    segment = libc.shmget(4242, 4096, 0o1666)
    if segment < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    if not bit:
        libc.shmctl(segment, 0, None)


def look(k, begin, end):
    wait((begin + end) / 2)
    return float(libc.shmget(4242, 4096, 0) >= 0)
