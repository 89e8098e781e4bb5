# tries: locked memory by a flag of mmap
# outcome: raised, forbidden, finished
import mmap

MAP_LOCKED = 0x2000
try:
    mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_LOCKED)
    print("ESCAPED")
except OSError as error:
    print(error)
