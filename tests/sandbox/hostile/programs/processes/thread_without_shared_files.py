# tries: threads whose descriptors are not shared, so that each has the limit of open files for itself
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import mmap
import os
import time

CLONE_VM, CLONE_FS, CLONE_SIGHAND, CLONE_THREAD = 0x100, 0x200, 0x800, 0x10000
libc = ctypes.CDLL(None, use_errno=True)
code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
code.write(b"\xb8\x3c\x00\x00\x00\x31\xff\x0f\x05")  # exit(0) of this thread alone
entry = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(code)))
stack = ctypes.create_string_buffer(1 << 20)
top = ctypes.c_void_p((ctypes.addressof(stack) + (1 << 20) - 64) & ~15)
thread = libc.clone(entry, top, CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD, None)
print("ESCAPED" if thread > 0 else os.strerror(ctypes.get_errno()))
time.sleep(0.01)
