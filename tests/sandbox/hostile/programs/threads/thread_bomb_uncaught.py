# tries: threads for ever, whatever is answered
# outcome: timed_out, out_of_memory
# deadline: 1
import threading

ROUNDS = 10**12  # twin: 700
release = threading.Event()
started = 0
for _ in range(ROUNDS):
    try:
        threading.Thread(target=release.wait, daemon=True).start()
        started += 1
    except RuntimeError:
        pass
    if started == 600:
        print("ESCAPED")
