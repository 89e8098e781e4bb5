# tries: to be ready again and again, as if it were another child
# outcome: finished
# twin: none: there is no run channel outside
import os
import struct

import msgspec

for frame in ({"frame": "ready", "probes": {"fork": True}}, {"frame": "touched"}):
    body = msgspec.msgpack.encode(frame)
    os.write(3, (struct.pack(">I", len(body)) + body) * 100)
