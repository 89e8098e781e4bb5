# tries: to change places with the old root
# outcome: finished
# says: Operation not permitted
# machine: x86_64
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(155, b'.', b'.')
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 or error not in (1, 38) else os.strerror(error))  # any other error: it would have been let do it
