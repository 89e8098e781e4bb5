# tries: to slow down the sandbox's own Python with a trace function that never returns
# outcome: timed_out
# deadline: 0.5
# twin: endless
import sys


def trace(*_):
    while True:
        pass


sys.setprofile(trace)
len([])
