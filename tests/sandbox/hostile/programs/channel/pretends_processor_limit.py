# tries: to end by the signal of the processor limit at once
# outcome: timed_out, crashed, finished
# deadline: 1
# twin: dies
import os
import signal

os.kill(os.getpid(), signal.SIGXCPU)
