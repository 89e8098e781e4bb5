# tries: a drawing nested a hundred thousand deep
# outcome: crashed
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

record = b'{"kind":"figure","id":"figure-1","width":9,"height":9,"drawing":' + b'[["g",{},' * 100_000 + b"[]" + b"]]" * 100_000 + b"}"
body = msgspec.msgpack.encode({"frame": "shown", "record": record})
frame = memoryview(struct.pack(">I", len(body)) + body)
while frame:
    frame = frame[os.write(3, frame) :]
time.sleep(60)
