# tries: a flood past Python
# outcome: output_limit
import ctypes

LINES = 10**9  # twin: 100_000
libc = ctypes.CDLL(None)
for _ in range(LINES):
    libc.puts(b"0123456789")
print("ESCAPED")
