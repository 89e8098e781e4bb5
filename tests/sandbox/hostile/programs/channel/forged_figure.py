# tries: to send figures of its own with a script, and with one in a text
# outcome: timed_out
# deadline: 1
# mark: "<script"
# where: pictures
import os
import struct
import time

import msgspec

for fields in (
    {"id": "figure-1", "svg": "<svg><script>alert(1)</script></svg>"},
    {"id": "figure-2", "drawing": [["text", {"x": "0"}, [], "</text><script>alert(1)</script>"]]},
):
    record = {"kind": "figure", "width": 9, "height": 9, "texts": ['"><script>'], **fields}
    body = msgspec.msgpack.encode({"frame": "shown", "record": msgspec.json.encode(record)})
    os.write(3, struct.pack(">I", len(body)) + body)
TWIN = False  # twin: True
time.sleep(0 if TWIN else 60)
