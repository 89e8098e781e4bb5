# tries: to tell the kernel lies of where its program is (PR_SET_MM)
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
size = ctypes.c_uint(0)
result = libc.prctl(35, 15, ctypes.byref(size), 0, 0)
print("ESCAPED" if result == 0 else os.strerror(ctypes.get_errno()))
