# tries: to mount
# outcome: finished
# says: Operation not permitted
# twin: as root escapes
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
result = libc.mount(b'none', b'.', b'tmpfs', 0, None) or libc.umount2(b'.', 2)
error = ctypes.get_errno()
print("ESCAPED" if result >= 0 else os.strerror(error))
