# tries: a root of its own
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.chroot(b'.')
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
