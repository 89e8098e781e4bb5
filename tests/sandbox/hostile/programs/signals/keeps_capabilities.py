# tries: to keep or raise capabilities (PR_SET_KEEPCAPS)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.prctl(8, 1, 0, 0, 0) == 0 else os.strerror(ctypes.get_errno()))
