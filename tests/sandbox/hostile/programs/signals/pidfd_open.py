# tries: a handle on another process
# outcome: forbidden
import os

os.pidfd_open(os.getppid() or 1)
print("ESCAPED")
