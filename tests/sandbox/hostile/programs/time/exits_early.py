# tries: to end before the last line, as if it had finished
# outcome: crashed
# says: exit status 0
# twin: dies
import os

STATUS = 0  # twin: 1
os._exit(STATUS)
