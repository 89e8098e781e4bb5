# tries: to tell other runs something by where a library's file is locked (F_SETLK, seen by F_OFD_GETLK and by others' F_GETLK)
# outcome: finished
# says: refused
import fcntl
import struct
import os

LOCK = "hhqqi4x"  # struct flock: type, whence, start, length, pid
library = os.open(os.__file__, os.O_RDONLY)
fcntl.fcntl(library, fcntl.F_SETLK, struct.pack(LOCK, fcntl.F_RDLCK, 0, 12345, 1, 0))
try:
    seen = fcntl.fcntl(library, 36, struct.pack(LOCK, fcntl.F_WRLCK, 0, 12345, 1, 0))  # F_OFD_GETLK
    print("ESCAPED" if struct.unpack(LOCK, seen)[0] == fcntl.F_RDLCK else "no lock is there")
except OSError as error:
    print("refused", error)
