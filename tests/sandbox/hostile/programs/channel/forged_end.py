# tries: to say itself that it finished, with an explanation and control characters of its own
# outcome: raised
# mark: "ESCAPED\x1b"
import os
import struct
import time

import msgspec

error = {"type": "Nice\x1b", "message": "ESCAPED\x1b[31m", "explanation": "ESCAPED\x1b"}
body = msgspec.msgpack.encode({"frame": "over", "ending": "raised", "error": error})
os.write(3, struct.pack(">I", len(body)) + body)
TWIN = False  # twin: True
time.sleep(0 if TWIN else 60)
