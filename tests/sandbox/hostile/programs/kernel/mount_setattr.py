# tries: to make what is read-only writable
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
attributes = (ctypes.c_uint64 * 4)(0, 1)
result = libc.syscall(442, -100, b'/proc/none', 0, attributes, 32)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 or error not in (1, 38) else os.strerror(error))  # any other error: it would have been let do it
