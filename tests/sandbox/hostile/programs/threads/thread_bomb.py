# tries: a thousand threads
# outcome: raised, out_of_memory, forbidden
# says: can't start new thread
import threading

THREADS = 10**6  # twin: 600
release = threading.Event()
for count in range(THREADS):
    threading.Thread(target=release.wait, daemon=True).start()
    if count == 599:
        print("ESCAPED")
