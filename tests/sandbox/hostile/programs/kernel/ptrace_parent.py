# tries: to trace the zygote
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.ptrace(0x4206, os.getppid() or 1, 0, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
