# tries: to change its scheduling class
# outcome: forbidden
import os

os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
print("ESCAPED")
