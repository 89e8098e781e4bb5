# tries: to load a module into the kernel
# outcome: finished
# says: Operation not permitted
# machine: x86_64
# twin: none: this kernel was built without modules
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(175, None, 0, b'')
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 or error not in (1, 38) else os.strerror(error))  # any other error: it would have been let do it
