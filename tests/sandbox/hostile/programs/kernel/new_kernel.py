# tries: to start another kernel (kexec)
# outcome: finished
# says: Operation not permitted
# machine: x86_64
# twin: none: this kernel was built without kexec
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(246, 0, 0, None, 0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 or error not in (1, 38) else os.strerror(error))  # any other error: it would have been let do it
