# tries: to go on in a function for the interpreter's exit
# outcome: finished, timed_out
# deadline: 1
# twin: endless
import atexit
import time

TWIN = False  # twin: True


def loop():
    while True:
        time.sleep(1)


atexit.register(loop)
if TWIN:
    atexit._run_exitfuncs()
