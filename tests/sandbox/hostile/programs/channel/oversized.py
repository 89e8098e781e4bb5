# tries: to announce a frame of four gigabytes
# outcome: output_limit
# twin: none: there is no run channel outside
import os
import time

os.write(3, b"\xff\xff\xff\xff")
time.sleep(60)
