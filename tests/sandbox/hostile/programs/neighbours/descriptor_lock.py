# tries: to lock a library's file with a lock of its descriptor (F_OFD_SETLK), which F_GETLK tells everybody
# outcome: finished
# says: refused
import fcntl
import struct
import os

LOCK = "hhqqi4x"
library = os.open(os.__file__, os.O_RDONLY)
try:
    fcntl.fcntl(library, 37, struct.pack(LOCK, fcntl.F_RDLCK, 0, 12345, 1, 0))
except OSError as error:
    print("refused", error)
told = fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), fcntl.F_GETLK, struct.pack(LOCK, fcntl.F_WRLCK, 0, 12345, 1, 0))
print("ESCAPED" if struct.unpack(LOCK, told)[0] == fcntl.F_RDLCK else "no lock is there")
