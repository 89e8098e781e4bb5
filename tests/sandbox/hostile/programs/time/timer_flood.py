# tries: to drown itself in signals of a timer
# outcome: timed_out
# deadline: 0.5
# twin: endless
import signal

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 1e-6, 1e-6)
while True:
    pass
