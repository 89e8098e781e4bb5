# tries: to hold the kernel up in a page fault (userfaultfd), the helper of many exploits
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(323, 1)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
