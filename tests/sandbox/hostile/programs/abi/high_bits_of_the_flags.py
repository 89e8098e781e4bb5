# tries: clone's flags with bits above those that a filter compares
# outcome: finished
# says: refused
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
pid = libc.syscall(56, ctypes.c_ulong(0x10000 << 32 | 17), 0, 0, 0, 0)
if pid == 0:
    os._exit(0)
print("ESCAPED" if pid > 0 else "refused")
