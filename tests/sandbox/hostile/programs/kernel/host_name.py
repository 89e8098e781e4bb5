# tries: to rename the host
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
name = os.uname().nodename.encode()
result = libc.sethostname(name, len(name))
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
