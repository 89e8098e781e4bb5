# tries: to see whether a user has processes (getpriority with PRIO_USER)
# outcome: finished
# says: refused
import os

try:
    print("ESCAPED", os.getpriority(os.PRIO_USER, os.getuid()))
except OSError as error:
    print("refused", error)
