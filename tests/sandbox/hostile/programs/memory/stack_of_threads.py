# tries: memory in the stacks of threads
# outcome: raised, out_of_memory, finished
import threading

THREADS = 100  # twin: 11
started = 0
threading.stack_size(64 << 20)
release = threading.Event()
try:
    for _ in range(THREADS):
        threading.Thread(target=release.wait, daemon=True).start()
        started += 1
finally:
    print("ESCAPED" if started > 10 else "refused")
    release.set()
