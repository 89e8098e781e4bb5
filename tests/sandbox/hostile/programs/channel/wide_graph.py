# tries: a graph of a hundred thousand nodes past the instruments
# outcome: output_limit, crashed, timed_out
# deadline: 5
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

node = {"id": "", "kind": "leaf", "label": ""}
body = msgspec.msgpack.encode({"frame": "shown", "record": msgspec.json.encode({"kind": "graph", "nodes": [node] * 100_000})})
frame = memoryview(struct.pack(">I", len(body)) + body)
while frame:
    frame = frame[os.write(3, frame) :]
time.sleep(60)
