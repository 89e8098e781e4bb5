# tries: descriptors that are its own alone
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.unshare(0x00000400)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
