# tries: to answer the question where it is with endless nonsense
# outcome: timed_out
# deadline: 0.5
# twin: endless
import faulthandler
import os
import signal


def flood(*_):
    while True:
        os.write(2, b'File "<source>", line' * 3000)


faulthandler.unregister(signal.SIGUSR1)
signal.signal(signal.SIGUSR1, flood)
while True:
    pass
