# tries: to end with an outcome that only the server may give
# outcome: crashed
# says: channel that carries its results
# mark: "timed_out"
import os
import struct
import time

import msgspec

body = msgspec.msgpack.encode({"frame": "over", "ending": "timed_out"})
os.write(3, struct.pack(">I", len(body)) + body)
TWIN = False  # twin: True
time.sleep(0 if TWIN else 60)
