# tries: a graph of a hundred thousand nodes past the instruments
# outcome: output_limit, crashed, timed_out
# deadline: 5
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

node = {"id": "a", "kind": "leaf", "label": ""}
body = msgspec.msgpack.encode({"frame": "shown", "record": msgspec.json.encode({"kind": "graph", "id": "graph-1", "nodes": [node] * 100_000})})
frame = memoryview(struct.pack(">I", len(body)) + body)
while frame:
    frame = frame[os.write(3, frame) :]
time.sleep(60)
