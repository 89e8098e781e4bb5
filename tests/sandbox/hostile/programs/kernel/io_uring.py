# tries: io_uring, whose requests no seccomp filter sees
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
parameters = (ctypes.c_char * 256)()
result = libc.syscall(425, 8, parameters)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
