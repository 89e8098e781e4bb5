# tries: to see whether somebody has read a library's file lately (preadv2 with RWF_NOWAIT)
# outcome: finished
# says: refused
import errno
import os

library = os.open(os.__file__, os.O_RDONLY)
os.pread(library, 4096, 0)
try:
    os.preadv(library, [bytearray(4096)], 0, os.RWF_NOWAIT)
    print("ESCAPED")
except OSError as error:
    print("ESCAPED" if error.errno == errno.EAGAIN else "refused", error)
