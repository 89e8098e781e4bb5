# tries: to fork from many threads at once
# outcome: forbidden, timed_out, raised, finished
# deadline: 1
import os
import threading

THREADS = 50  # twin: 4


def fork():
    if os.fork() == 0:
        os._exit(0)
    print("ESCAPED")


threading.excepthook = lambda _: None
threads = [threading.Thread(target=fork) for _ in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
