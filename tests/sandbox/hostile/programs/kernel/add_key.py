# tries: to put a key where the next run of this uid finds it
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(248, b'user', b'hostile', b'secret', 6, -3)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
