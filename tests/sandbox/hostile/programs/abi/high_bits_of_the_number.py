# tries: a number whose upper half only a filter would look at
# outcome: finished
# says: refused
# machine: x86_64
import ctypes
import mmap

code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
code.write(b"\x48\xb8\x29\x00\x00\x00\x01\x00\x00\x00\xbf\x01\x00\x00\x00\xbe\x01\x00\x00\x00\x31\xd2\x0f\x05\xc3")  # socket(1, 1, 0)
function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
print("ESCAPED" if function() >= 0 else "refused")
