# tries: memory in the kernel, in pipes that nobody reads
# outcome: forbidden, raised, finished
import os

PIPES = 100_000  # twin: 300
kept = []
for _ in range(PIPES):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    os.write(writer, bytes(65536))
    kept.append((reader, writer))
    if len(kept) == 300:
        print("ESCAPED")
