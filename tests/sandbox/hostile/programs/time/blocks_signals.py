# tries: to block every signal
# outcome: timed_out
# deadline: 0.5
# twin: endless
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
while True:
    pass
