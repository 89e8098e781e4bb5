# tries: to leave a process behind in a session of its own
# outcome: finished
# says: Operation not permitted
import ctypes
import os
import time

libc = ctypes.CDLL(None, use_errno=True)
pid = libc.fork()
if pid == 0:
    os.setsid()
    if libc.fork() == 0:
        time.sleep(3600)
    os._exit(0)
print("ESCAPED" if pid > 0 else os.strerror(ctypes.get_errno()))
