# tries: to let itself be looked into, and core files be made of it
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.prctl(4, 1, 0, 0, 0) == 0 else os.strerror(ctypes.get_errno()))
