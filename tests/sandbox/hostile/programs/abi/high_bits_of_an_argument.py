# tries: an argument whose upper half the kernel does not look at but a filter does
# outcome: finished
# says: refused
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
reader, writer = os.pipe()
F_SETPIPE_SZ = 1031
result = libc.fcntl(writer, ctypes.c_ulong((1 << 32) | F_SETPIPE_SZ), 1 << 17)
print("ESCAPED" if result >= 0 else "refused")
