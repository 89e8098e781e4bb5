# tries: to end the zygote it was forked from
# outcome: finished
# says: refused
import os

SIGNAL = 9  # twin: 0
parent = os.getppid()
try:
    if parent in (0, os.getpid()):
        raise ProcessLookupError
    os.kill(parent, SIGNAL)
    print("ESCAPED")
except OSError:
    print("refused")
