# tries: to use up every processor with threads that compute
# outcome: timed_out
# deadline: 1
# twin: endless
import threading

THREADS = 16


def spin():
    while True:
        sum(range(10**6))


for _ in range(THREADS):
    threading.Thread(target=spin, daemon=True).start()
spin()
