# tries: to choose its processors
# outcome: forbidden
import os

os.sched_setaffinity(0, os.sched_getaffinity(0))
print("ESCAPED")
