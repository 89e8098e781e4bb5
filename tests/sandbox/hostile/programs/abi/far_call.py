# tries: to switch the processor to 32 bits and call from there
# outcome: forbidden, crashed
# machine: x86_64
import ctypes
import mmap

MAP_32BIT = 0x40
code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_32BIT, prot=7)
start = ctypes.addressof(ctypes.c_char.from_buffer(code))
inner = start + 64
code[64:80] = b"\xb8\x14\x00\x00\x00\xcd\x80\xcb".ljust(16, b"\x90")  # in 32 bits: getpid, far return
pointer = inner.to_bytes(4, "little") + b"\x23\x00"
code[128:134] = pointer
place = (start + 256).to_bytes(4, "little")  # where the stack pointer waits
code[0:64] = (
    b"\x53\x55\x48\x89\x24\x25" + place + b"\xbc" + (start + 4000).to_bytes(4, "little")  # a stack below 4 GB
    + b"\xff\x1c\x25" + (start + 128).to_bytes(4, "little")  # far call; 0x23 is the code segment of 32 bits
    + b"\x48\x8b\x24\x25" + place + b"\x5d\x5b\xc3"
).ljust(64, b"\x90")
function = ctypes.CFUNCTYPE(ctypes.c_int)(start)
print("ESCAPED" if function() > 0 else "refused")
