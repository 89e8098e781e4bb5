# tries: random bytes
# outcome: crashed, output_limit, timed_out
# deadline: 1
# twin: none: there is no run channel outside
import os
import random
import time

for _ in range(100):
    os.write(3, random.randbytes(1000))
time.sleep(60)
