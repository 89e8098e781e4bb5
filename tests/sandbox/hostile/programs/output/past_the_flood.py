# tries: to go on after the cap, so that the end of its output is seen
# outcome: output_limit
import os

PIECES = 500  # twin: 20
for _ in range(PIECES):
    os.write(1, b"x" * 60_000)
os.write(1, b"ESCAPED")
