# tries: what protects this kernel
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
numbers = (ctypes.c_uint64 * 32)()
size = ctypes.c_uint32(256)
result = libc.syscall(461, numbers, ctypes.byref(size), 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
