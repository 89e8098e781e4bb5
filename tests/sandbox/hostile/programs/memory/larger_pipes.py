# tries: to make a pipe larger than pipes are
# outcome: forbidden
import fcntl
import os

reader, writer = os.pipe()
fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 1 << 20)
print("ESCAPED")
