# tries: an audit hook that forbids everything from then on
# outcome: finished, raised, crashed
# deadline: 2
# twin: none: what is broken outside is the program itself
import sys


def forbid(*_):
    raise RuntimeError("no")


sys.addaudithook(forbid)
