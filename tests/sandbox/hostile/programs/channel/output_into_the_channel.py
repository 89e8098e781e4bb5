# tries: to print into the channel
# outcome: crashed, output_limit
import os

os.dup2(3, 1)
print("ESCAPED" * 100, flush=True)
