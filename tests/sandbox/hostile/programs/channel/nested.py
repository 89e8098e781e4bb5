# tries: a frame nested a million deep
# outcome: crashed
# twin: none: there is no run channel outside
import os
import struct
import time

body = b"\x91" * 10**6 + b"\xc0"
frame = memoryview(struct.pack(">I", len(body)) + body)
while frame:
    frame = frame[os.write(3, frame) :]
time.sleep(60)
