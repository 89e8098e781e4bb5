# tries: to block every signal
# outcome: timed_out
# deadline: 1
# twin: endless
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
while True:
    pass
