# tries: to end with an exception that is none
# outcome: crashed
# says: channel that carries its results
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

body = msgspec.msgpack.encode({"frame": "over", "ending": "raised"})
os.write(3, struct.pack(">I", len(body)) + body)
time.sleep(60)
