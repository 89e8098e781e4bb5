# tries: to copy a tree of mounts
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(428, -100, b'.', 1)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
