# tries: to load a program into the kernel (bpf)
# outcome: finished
# says: Operation not permitted
# machine: x86_64
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
attributes = (ctypes.c_char * 128)()
result = libc.syscall(321, 5, attributes, 128)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 or error not in (1, 38) else os.strerror(error))  # any other error: it would have been let do it
