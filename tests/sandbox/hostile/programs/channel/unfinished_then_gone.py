# tries: to end within a frame
# outcome: crashed
# twin: none: there is no run channel outside
import os

os.write(3, b"\x00\x01\x00\x00half")
os._exit(0)
