# tries: to stop itself, so that nothing ends
# outcome: timed_out
# deadline: 0.5
# twin: endless
import os
import signal

while True:
    os.kill(os.getpid(), signal.SIGSTOP)
