# tries: a file system by the new interface
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(430, b'tmpfs', 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
