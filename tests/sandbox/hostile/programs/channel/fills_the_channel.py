# tries: to write until the server does not read any more
# outcome: output_limit, crashed, timed_out
# deadline: 2
# twin: none: there is no run channel outside
import os
import struct

frame = struct.pack(">I", 1) + b"\xc0"
while True:
    os.write(3, frame * 1000)
