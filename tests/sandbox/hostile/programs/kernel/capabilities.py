# tries: to take capabilities
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
result = libc.capset(header, (ctypes.c_uint32 * 6)())
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
