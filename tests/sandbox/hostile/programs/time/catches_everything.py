# tries: to catch every exception and every signal that can be caught
# outcome: timed_out
# deadline: 0.5
# twin: endless
import signal

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, lambda *_: None)
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
