# tries: rules for files of its own
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(444, None, 0, 1)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
