# tries: to bind memory to a node
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(237, None, 0, 0, None, 0, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
