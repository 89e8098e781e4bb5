# tries: to send the server an order to execute
# outcome: crashed
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

body = msgspec.msgpack.encode({"frame": "execute", "program": {"source": {"text": "print('ESCAPED')"}}})
os.write(3, struct.pack(">I", len(body)) + body)
time.sleep(60)
