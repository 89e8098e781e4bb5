# tries: a flood from many threads, on both streams
# outcome: output_limit
import os
import threading

WRITES = 10**9  # twin: 10


def flood(descriptor):
    for _ in range(WRITES):
        os.write(descriptor, b"x" * 4096)


threads = [threading.Thread(target=flood, args=(1 + count % 2,)) for count in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("ESCAPED")
