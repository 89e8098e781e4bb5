# by: a futex that is not private, in a mapping of a library's file
# expected: closed
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
place = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, os.open(os.__file__, os.O_RDONLY), ctypes.c_long(0))
word = ctypes.c_uint32.from_address(place).value


def act(bit, k, end):
    while bit and time.time() < end:
        if libc.syscall(202, ctypes.c_void_p(place), 1, 1, None, None, 0) < 0:
            raise OSError(ctypes.get_errno(), "futex")


def look(k, begin, end):
    wait(begin)
    left = int(max(0.0, end - time.time()) * 1e9)
    answer = libc.syscall(202, ctypes.c_void_p(place), 0, ctypes.c_uint32(word), (ctypes.c_long * 2)(0, left), None, 0)
    return float(answer == 0)
