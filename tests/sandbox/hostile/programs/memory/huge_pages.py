# tries: the host's huge pages
# outcome: finished
# deadline: 30
# twin: none: this machine sets none aside
import mmap

MAP_HUGETLB = 0x40000
try:
    mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_HUGETLB)
    print("ESCAPED")
except OSError as error:
    print(error)
