# tries: timers whose signals go to any thread (timer_create)
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
timer = ctypes.c_int(0)
result = libc.syscall(222, 1, None, ctypes.byref(timer))
print("ESCAPED" if result == 0 else os.strerror(ctypes.get_errno()))
