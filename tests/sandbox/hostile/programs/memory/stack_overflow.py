# tries: to overflow the C stack
# outcome: crashed
# twin: dies
import sys

sys.setrecursionlimit(10**9)


class Endless:
    def __repr__(self):
        return repr(self)


repr(Endless())
