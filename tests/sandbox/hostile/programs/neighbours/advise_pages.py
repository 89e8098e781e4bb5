# tries: to read a library's pages ahead, to drop them, and to have them merged with a neighbour's (madvise)
# outcome: finished
# says: refused
import mmap
import os

WILLNEED, MERGEABLE, COLD, PAGEOUT, POPULATE = 3, 12, 20, 21, 22
library = mmap.mmap(os.open(os.__file__, os.O_RDONLY), 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
for advice in (WILLNEED, MERGEABLE, COLD, PAGEOUT, POPULATE):
    try:
        library.madvise(advice)
        print("ESCAPED")
    except OSError as error:
        print("refused", error)
