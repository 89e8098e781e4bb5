# tries: a hundred thousand tiny frames
# outcome: output_limit
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

for thousand in range(100):
    frames = b""
    for count in range(1000 * thousand, 1000 * (thousand + 1)):
        body = msgspec.msgpack.encode({"frame": "shown", "record": b'{"kind":"value","id":"value-%d","text":""}' % count})
        frames += struct.pack(">I", len(body)) + body
    view = memoryview(frames)
    while view:
        view = view[os.write(3, view) :]
time.sleep(60)
