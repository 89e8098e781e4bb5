# tries: to decide what others may open (fanotify)
# outcome: finished
# says: Operation not permitted
# machine: x86_64
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.syscall(300, 0, 0) >= 0 else os.strerror(ctypes.get_errno()))
