# tries: to open a file by its number, past every path
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
open("mine", "w").close()
handle = ctypes.create_string_buffer(128 + 8)
ctypes.cast(handle, ctypes.POINTER(ctypes.c_uint))[0] = 128
mount = ctypes.c_int()
result = libc.syscall(303, -100, b"mine", handle, ctypes.byref(mount), 0)
print("ESCAPED" if result == 0 else os.strerror(ctypes.get_errno()))
