# tries: to end by a signal that says the server killed it
# outcome: out_of_memory, timed_out, crashed, finished
# deadline: 1
# twin: dies
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
