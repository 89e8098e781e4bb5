# tries: to watch what others do with files (inotify)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
print("ESCAPED" if libc.inotify_init1(0) >= 0 else os.strerror(ctypes.get_errno()))
