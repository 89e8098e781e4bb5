# tries: the 32-bit gate (int 0x80), whose numbers mean other calls
# outcome: forbidden
# machine: x86_64
import ctypes
import mmap

code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # getpid of 32 bits
function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
print("ESCAPED" if function() > 0 else "refused")
