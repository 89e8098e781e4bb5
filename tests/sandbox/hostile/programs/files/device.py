# tries: to make a device
# outcome: forbidden
# twin: as root escapes
import os
import stat

os.mknod("device", stat.S_IFCHR | 0o666, os.makedev(1, 3))
print("ESCAPED")
