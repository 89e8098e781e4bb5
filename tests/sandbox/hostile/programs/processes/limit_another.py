# tries: to read and change the limits of another process
# outcome: forbidden, raised
import os
import resource

for pid in (os.getppid(), 1):
    if pid not in (0, os.getpid()):
        resource.prlimit(pid, resource.RLIMIT_NOFILE)
        print("ESCAPED")
resource.prlimit(2, resource.RLIMIT_NOFILE)
