# tries: which parts of others' files were read lately (cachestat)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
file = os.open("own", os.O_RDWR | os.O_CREAT)
span, answer = (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)()
result = libc.syscall(451, file, span, answer, 0)
print("ESCAPED" if result == 0 else os.strerror(ctypes.get_errno()))
