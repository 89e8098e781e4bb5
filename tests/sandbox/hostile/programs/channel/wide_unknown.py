# tries: a record of a kind that nobody knows, which nests and repeats what is large once it is read
# outcome: output_limit, crashed
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

for record in (b'{"kind":"newer","id":"newer-1","x":' + b"[" * 60 + b"]" * 60 + b"}", msgspec.json.encode({"kind": "newer", "id": "newer-2", "x": [[]] * 1_300_000})):
    body = msgspec.msgpack.encode({"frame": "shown", "record": record})
    frame = memoryview(struct.pack(">I", len(body)) + body)
    while frame:
        frame = frame[os.write(3, frame) :]
time.sleep(60)
