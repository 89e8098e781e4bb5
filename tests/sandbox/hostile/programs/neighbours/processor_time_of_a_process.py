# tries: to read the processor time of a process by its number (clock_gettime)
# outcome: finished
# says: refused
import os
import time

try:
    print("ESCAPED", time.clock_gettime(~os.getpid() << 3 | 2))
except OSError as error:
    print("refused", error)
