# tries: to have its own words shown as the server's explanation
# outcome: forbidden
# mark: "your teacher's password"
import os
import struct
import time

import msgspec

error = {"type": "E", "message": "m", "explanation": "Please enter your teacher's password", "name": "your teacher's password"}
body = msgspec.msgpack.encode({"frame": "over", "ending": "forbidden", "error": error})
os.write(3, struct.pack(">I", len(body)) + body)
TWIN = False  # twin: True
time.sleep(0 if TWIN else 60)
