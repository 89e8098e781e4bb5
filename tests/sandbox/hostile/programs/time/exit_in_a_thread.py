# tries: to end the process from a thread
# outcome: crashed
# twin: dies
import os
import threading
import time

threading.Thread(target=lambda: os._exit(3)).start()
time.sleep(60)
