# tries: to have a script shown as the name of a kind that nobody knows
# outcome: timed_out
# deadline: 1
# mark: "<script"
# where: pictures
import os
import struct
import time

import msgspec

node = {"id": "a", "kind": "leaf", "label": "x"}
for record in ({"kind": "<script>alert(1)</script>", "id": "script-1", "svg": "<script>"}, {"kind": "graph", "id": "graph-1", "nodes": [node]}):
    body = msgspec.msgpack.encode({"frame": "shown", "record": msgspec.json.encode(record)})
    os.write(3, struct.pack(">I", len(body)) + body)
TWIN = False  # twin: True
time.sleep(0 if TWIN else 60)
