# tries: segments of its own (modify_ldt), the way to 16-bit code
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
block = (ctypes.c_char * 64)()
result = libc.syscall(154, 0, block, 64)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
