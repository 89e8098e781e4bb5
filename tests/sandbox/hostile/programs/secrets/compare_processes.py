# tries: to compare what two processes share (kcmp)
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(312, os.getpid(), os.getpid(), 0, 1, 1)
print("ESCAPED" if result >= 0 else os.strerror(ctypes.get_errno()))
