# tries: to be told what happens in a folder (F_NOTIFY)
# outcome: forbidden
import fcntl
import os

fcntl.fcntl(os.open(".", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_CREATE)
print("ESCAPED")
