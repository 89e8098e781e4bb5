# tries: to become the parent of what others leave (PR_SET_CHILD_SUBREAPER)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.prctl(36, 1, 0, 0, 0) == 0 else os.strerror(ctypes.get_errno()))
