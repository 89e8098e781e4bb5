# tries: to wait for other runs, and to wake them, at an address in a library's file (a futex that is not private)
# outcome: finished
# says: not let
# machine: x86_64
import ctypes
import os

MAP_SHARED, PROT_READ, FUTEX, WAIT, WAKE = 1, 1, 202, 0, 1
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
library = os.open(os.__file__, os.O_RDONLY)
place = libc.mmap(None, ctypes.c_size_t(4096), PROT_READ, MAP_SHARED, library, ctypes.c_long(0))
word = ctypes.c_uint32.from_address(place).value
soon = (ctypes.c_long * 2)(0, 1_000_000)
libc.syscall(FUTEX, ctypes.c_void_p(place), WAIT, ctypes.c_uint32(word), soon, None, 0)
waited = os.strerror(ctypes.get_errno())
woken = libc.syscall(FUTEX, ctypes.c_void_p(place), WAKE, 1, None, None, 0)
print("ESCAPED" if waited == "Connection timed out" and woken >= 0 else f"not let: {waited}, {os.strerror(ctypes.get_errno())}")
