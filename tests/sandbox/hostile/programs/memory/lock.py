# tries: to lock memory so that others are pushed out
# outcome: finished
# deadline: 30
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
block = ctypes.create_string_buffer(16384)
print("ESCAPED" if libc.mlock(block, 16384) == 0 else os.strerror(ctypes.get_errno()))
