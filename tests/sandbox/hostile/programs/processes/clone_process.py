# tries: clone(2) for a process that shares memory but is no thread
# outcome: finished
# says: Operation not permitted
import ctypes
import mmap
import os

CLONE_VM, CLONE_VFORK, SIGCHLD = 0x100, 0x4000, 17
libc = ctypes.CDLL(None, use_errno=True)
stack = ctypes.create_string_buffer(1 << 20)
top = ctypes.c_void_p((ctypes.addressof(stack) + (1 << 20) - 64) & ~15)
leave = ctypes.cast(libc._exit, ctypes.c_void_p)
pid = libc.clone(leave, top, CLONE_VM | CLONE_VFORK | SIGCHLD, None)
print("ESCAPED" if pid > 0 else os.strerror(ctypes.get_errno()))
