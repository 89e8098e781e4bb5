# tries: a filter of its own, to confuse the one it has
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(317, 2, 0, ctypes.byref(ctypes.c_uint(0x7fff0000)))
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
