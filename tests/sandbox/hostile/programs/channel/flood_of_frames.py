# tries: a hundred thousand tiny frames
# outcome: output_limit
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

body = msgspec.msgpack.encode({"frame": "shown", "record": b'{"kind":"value","text":""}'})
frame = (struct.pack(">I", len(body)) + body) * 1000
for _ in range(100):
    view = memoryview(frame)
    while view:
        view = view[os.write(3, view) :]
time.sleep(60)
