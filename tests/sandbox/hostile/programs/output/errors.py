# tries: a flood on the other stream
# outcome: output_limit
import sys

LINES = 10**9  # twin: 100_000
for _ in range(LINES):
    print("no", file=sys.stderr)
print("ESCAPED")
