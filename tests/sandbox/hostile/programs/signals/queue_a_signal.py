# tries: to queue a signal with a forged sender (rt_sigqueueinfo)
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
information = (ctypes.c_int * 32)(0, 0, -1)
result = libc.syscall(129, os.getpid(), 0, information)
print("ESCAPED" if result == 0 else os.strerror(ctypes.get_errno()))
