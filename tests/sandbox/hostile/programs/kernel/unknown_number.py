# tries: a system call that the filter's author never heard of
# outcome: finished
# says: Operation not permitted
# twin: none: there is no such call
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(9999)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
