# tries: a callback of the garbage collector that never returns
# outcome: timed_out
# deadline: 0.5
# twin: endless
import gc


def callback(*_):
    while True:
        pass


gc.callbacks.append(callback)
gc.collect()
