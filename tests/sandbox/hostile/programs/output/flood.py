# tries: a billion lines
# outcome: output_limit
LINES = 10**9  # twin: 200_000
for _ in range(LINES):
    print("a line")
print("ESCAPED")
