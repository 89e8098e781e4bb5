# tries: to read the kernel's messages
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.klogctl(10, None, 0) >= 0 else os.strerror(ctypes.get_errno()))
