# tries: tgkill on the zygote's main thread
# outcome: finished
# says: refused
# machine: x86_64
import ctypes
import os

SIGNAL = 9  # twin: 0
parent = os.getppid() or 1
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(234, parent, parent, SIGNAL) if parent != os.getpid() else -1
print("ESCAPED" if result == 0 else "refused")
