# tries: records that stand before the beginning and after the end
# outcome: crashed
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

for offset in (2**53, 0, -1):
    body = msgspec.msgpack.encode({"frame": "shown", "record": b'{"kind":"value","id":"value-%d","text":""}' % (offset + 2), "stdout_bytes": offset})
    os.write(3, struct.pack(">I", len(body)) + body)
time.sleep(60)
