# tries: to ignore the signal that asks it where it is
# outcome: timed_out
# deadline: 0.5
# twin: endless
import faulthandler
import signal

faulthandler.unregister(signal.SIGUSR1)
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
while True:
    pass
