# tries: to see which pages of a library's file somebody has read (mincore)
# outcome: finished
# says: Operation not permitted
# machine: x86_64
import ctypes
import os

MAP_PRIVATE, PROT_READ, MINCORE = 2, 1, 27
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
library = os.open(os.__file__, os.O_RDONLY)
place = libc.mmap(None, ctypes.c_size_t(4096), PROT_READ, MAP_PRIVATE, library, ctypes.c_long(0))
result = libc.syscall(MINCORE, ctypes.c_void_p(place), ctypes.c_size_t(4096), ctypes.create_string_buffer(1))
print("ESCAPED" if result == 0 else os.strerror(ctypes.get_errno()))
