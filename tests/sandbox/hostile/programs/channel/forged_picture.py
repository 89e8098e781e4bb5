# tries: to send a picture of its own with a script in it
# outcome: timed_out
# deadline: 1
# mark: "<script"
# where: pictures
import os
import struct
import time

import msgspec

node = {"id": "a", "kind": "leaf", "label": "<script>alert(1)</script>"}
record = {"kind": "graph", "id": "graph-1", "nodes": [node], "svg": "<svg><script>alert(1)</script></svg>", "note": "<script>"}
body = msgspec.msgpack.encode({"frame": "shown", "record": msgspec.json.encode(record)})
os.write(3, struct.pack(">I", len(body)) + body)
TWIN = False  # twin: True
time.sleep(0 if TWIN else 60)
