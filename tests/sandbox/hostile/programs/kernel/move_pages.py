# tries: where in the machine memory lies
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(279, 0, 0, None, None, None, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
