# tries: memory that not even the kernel maps
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(447, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
