# tries: to be traced, which turns signals and system calls upside down
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.ptrace(0, 0, 0, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
