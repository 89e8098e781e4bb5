# tries: a socket through the 32-bit gate
# outcome: forbidden
# machine: x86_64
import ctypes
import mmap

code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
code.write(b"\x53\xb8\x67\x01\x00\x00\xbb\x01\x00\x00\x00\xb9\x01\x00\x00\x00\x31\xd2\xcd\x80\x5b\xc3")  # socket(1, 1, 0)
function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
print("ESCAPED" if function() > 0 else "refused")
