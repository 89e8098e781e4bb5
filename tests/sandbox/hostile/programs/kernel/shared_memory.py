# tries: SysV shared memory that outlives it
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.shmget(0, 4096, 0o1600)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
