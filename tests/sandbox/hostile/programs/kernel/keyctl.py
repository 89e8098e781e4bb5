# tries: the kernel's key rings, shared by all processes of a uid
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(250, 0, -3, 1)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
