# tries: to slow down everybody of its uid
# outcome: forbidden
import os

os.setpriority(os.PRIO_USER, 0, os.getpriority(os.PRIO_USER, 0))
print("ESCAPED")
