# tries: to look at how the clock is steered
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
state = (ctypes.c_char * 512)()
result = libc.adjtimex(state)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
