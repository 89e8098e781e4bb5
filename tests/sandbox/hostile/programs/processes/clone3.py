# tries: clone3(2), whose flags a filter cannot read
# outcome: finished
# says: Function not implemented
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17)
pid = libc.syscall(435, arguments, ctypes.sizeof(arguments))
if pid == 0:
    os._exit(0)
print("ESCAPED" if pid > 0 else os.strerror(ctypes.get_errno()))
