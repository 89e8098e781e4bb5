# tries: to see the machine's load, free memory and number of processes (sysinfo)
# outcome: finished
# says: Operation not permitted
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
answer = (ctypes.c_char * 256)()
print("ESCAPED" if libc.sysinfo(answer) == 0 else os.strerror(ctypes.get_errno()))
