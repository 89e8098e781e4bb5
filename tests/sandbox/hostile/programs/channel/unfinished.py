# tries: a frame that never ends
# outcome: timed_out
# deadline: 1
# twin: none: there is no run channel outside
import os
import time

os.write(3, b"\x00\x01\x00\x00half")
time.sleep(60)
