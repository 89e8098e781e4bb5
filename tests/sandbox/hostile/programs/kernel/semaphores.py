# tries: SysV semaphores that outlive it
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.semget(0, 1, 0o1600)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
