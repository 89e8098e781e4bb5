# tries: to list the mounts of the host (listmount)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
request = (ctypes.c_uint64 * 3)(24, 0xFFFFFFFFFFFFFFFF, 0)
numbers = (ctypes.c_uint64 * 8)()
result = libc.syscall(458, request, numbers, 8, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
