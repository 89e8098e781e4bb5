# tries: to change the clock
# outcome: finished
# says: Operation not permitted
# machine: x86_64
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(164, None, None)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
