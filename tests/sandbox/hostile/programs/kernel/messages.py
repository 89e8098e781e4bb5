# tries: a SysV message queue that outlives it
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.msgget(0, 0o1600)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
