# tries: malloc until it answers NULL, writing to all of it
# outcome: finished, crashed, out_of_memory
# deadline: 30
import ctypes

BLOCKS = 10**9  # twin: 10
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
for count in range(BLOCKS):
    block = libc.malloc(ctypes.c_size_t(64 << 20))
    if not block:
        break
    ctypes.memset(block, 1, 64 << 20)
    if count == 9:
        print("ESCAPED")
        break
