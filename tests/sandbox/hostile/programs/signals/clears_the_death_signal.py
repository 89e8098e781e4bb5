# tries: to outlive the zygote
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.prctl(1, 0, 0, 0, 0) == 0 else os.strerror(ctypes.get_errno()))
