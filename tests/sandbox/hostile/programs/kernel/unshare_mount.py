# tries: a mount namespace of its own
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.unshare(0x00020000)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
