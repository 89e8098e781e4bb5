# tries: to stop itself, so that nothing ends
# outcome: timed_out
# deadline: 1
# twin: endless
import os
import signal

while True:
    os.kill(os.getpid(), signal.SIGSTOP)
