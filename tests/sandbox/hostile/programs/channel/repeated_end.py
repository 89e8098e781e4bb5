# tries: to end twice, and to go on in between
# outcome: finished
# twin: none: there is no run channel outside
import os
import struct
import time

import msgspec

body = msgspec.msgpack.encode({"frame": "over", "ending": "finished"})
os.write(3, (struct.pack(">I", len(body)) + body) * 100)
print("after the end")
time.sleep(60)
