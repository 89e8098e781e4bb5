# tries: to fork for ever, whatever is answered
# outcome: timed_out
# deadline: 1
import os

ROUNDS = 10**12  # twin: 20
started = 0
for _ in range(ROUNDS):
    try:
        if os.fork() == 0:
            os._exit(0)
        started += 1
        print("ESCAPED")
    except OSError:
        pass
