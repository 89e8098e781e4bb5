# tries: one line of ten gigabytes
# outcome: output_limit
import sys

PIECES = 10**4  # twin: 3
for _ in range(PIECES):
    sys.stdout.write("x" * 10**6)
print("ESCAPED")
