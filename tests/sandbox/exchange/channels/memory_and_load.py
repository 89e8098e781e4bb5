# by: the machine's free memory (sysinfo)
# expected: closed
libc = ctypes.CDLL(None, use_errno=True)


def act(bit, k, end):
    kept = bytearray(b"x" * (bit * 30_000_000))
    wait(end)
    del kept


def look(k, begin, end):
    wait((begin + end) / 2)
    answer = (ctypes.c_ulong * 32)()
    if libc.sysinfo(answer):
        raise OSError(ctypes.get_errno(), "sysinfo")
    return -float(answer[5])
