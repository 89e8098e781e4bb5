# tries: a value that takes a hundred times its bytes once it is read
# outcome: output_limit, crashed
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

body = msgspec.msgpack.encode({"frame": "shown", "record": msgspec.json.encode({"kind": "value", "id": "value-1", "text": "", "values": [[]] * 1_300_000})})
frame = memoryview(struct.pack(">I", len(body)) + body)
while frame:
    frame = frame[os.write(3, frame) :]
time.sleep(60)
