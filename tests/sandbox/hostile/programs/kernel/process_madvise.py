# tries: to give advice on another's memory
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(440, -1, None, 0, 0, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 or error not in (1, 38) else os.strerror(error))  # any other error: it would have been let do it
