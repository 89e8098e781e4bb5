# tries: to have the kernel send its signals to others (F_SETOWN, F_SETSIG)
# outcome: forbidden
import fcntl
import os

reader, _ = os.pipe()
fcntl.fcntl(reader, fcntl.F_SETOWN, os.getppid() or 1)
fcntl.fcntl(reader, 10, 9)
print("ESCAPED")
