# tries: to change what the keyboard may do to the host (reboot)
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.reboot(0)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
