# tries: to switch off the randomising of addresses
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.personality(0xFFFFFFFF)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
