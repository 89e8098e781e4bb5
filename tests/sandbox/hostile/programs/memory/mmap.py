# tries: anonymous mappings, past Python's and C's allocators
# outcome: finished
# deadline: 30
# says: Cannot allocate memory
import mmap

MAPPINGS = 10**9  # twin: 10
kept = []
try:
    for _ in range(MAPPINGS):
        kept.append(mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
        kept[-1][:: 4096] = bytes((64 << 20) // 4096)
        if len(kept) == 10:
            print("ESCAPED")
            break
except OSError as error:
    print(error)
