# tries: a flood of lines with nothing in them
# outcome: output_limit
import os

LINES = 10**9  # twin: 1
for _ in range(LINES):
    os.write(1, b"\n" * 1000)
print("ESCAPED")
