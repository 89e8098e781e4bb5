# tries: a POSIX message queue that outlives it
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
name = f"/hostile-{os.getpid()}".encode()
result = libc.mq_open(name, 0o102, 0o600, None)
error = ctypes.get_errno()
libc.mq_unlink(name)
print("ESCAPED" if result >= 0 else os.strerror(error))
