# tries: to change the C library's code in its own memory, so that the next call means another
# outcome: finished
# says: refused
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
address = ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~4095
assert libc.mprotect(ctypes.c_void_p(address), 8192, 7) == 0
entry = ctypes.cast(libc.getpid, ctypes.c_void_p).value
ctypes.memmove(entry, b"\xb8\x29\x00\x00\x00\xbf\x01\x00\x00\x00\xbe\x01\x00\x00\x00\x31\xd2\x0f\x05\xc3", 20)  # now socket(1, 1, 0)
print("ESCAPED" if libc.getpid() > 0 else "refused")
