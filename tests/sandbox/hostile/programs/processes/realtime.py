# tries: to be scheduled before everybody else
# outcome: forbidden
# twin: as root escapes
import os

os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
print("ESCAPED")
