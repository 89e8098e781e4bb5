# tries: a thread that goes on when the program is over
# outcome: timed_out
# deadline: 1
# twin: endless
import threading
import time

thread = threading.Thread(target=lambda: [time.sleep(1) for _ in range(10**6)])
thread.start()
thread.join(0)
threading._shutdown() if hasattr(threading, "_shutdown") else thread.join()
