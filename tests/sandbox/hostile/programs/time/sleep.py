# tries: to sleep for an hour
# outcome: timed_out
# deadline: 1
# twin: endless
import time

time.sleep(3600)
