# tries: shared memory that no limit on a process's own data counts
# outcome: forbidden, out_of_memory, raised
import mmap

MAPPINGS = 10**9  # twin: 10
kept = []
for _ in range(MAPPINGS):
    kept.append(mmap.mmap(-1, 64 << 20))
    kept[-1][::4096] = bytes((64 << 20) // 4096)
    if len(kept) == 10:
        print("ESCAPED")
