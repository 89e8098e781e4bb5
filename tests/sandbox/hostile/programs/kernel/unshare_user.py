# tries: a user namespace, in which it is root
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.unshare(0x10000000)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
