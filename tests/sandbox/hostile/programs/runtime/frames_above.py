# tries: to change the variables of whoever called it
# outcome: finished, raised, crashed, timed_out
# deadline: 2
# twin: none: there is no caller outside
import sys

frame = sys._getframe()
while frame := frame.f_back:
    frame.f_globals.clear()
    frame.f_locals.clear()
