# tries: to drop a library's file from the page cache (posix_fadvise), to see later who has read it since
# outcome: finished
# says: refused
import os

library = os.open(os.__file__, os.O_RDONLY)
for advice in (os.POSIX_FADV_DONTNEED, os.POSIX_FADV_WILLNEED):
    try:
        os.posix_fadvise(library, 0, 0, advice)
        print("ESCAPED")
    except OSError as error:
        print("refused", error)
