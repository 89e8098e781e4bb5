# tries: to print more than it may by telling the server where frames stand
# outcome: output_limit
# deadline: 5
# twin: none: there is no run channel outside
import os
import struct
import threading
import time

import msgspec


def print_for_ever():
    while True:
        os.write(1, b"x" * 65536)


threading.Thread(target=print_for_ever, daemon=True).start()
for count in range(10**6):
    record = b'{"kind":"value","id":"value-%d","text":""}' % count
    body = msgspec.msgpack.encode({"frame": "shown", "record": record, "stdout_bytes": 2**53 - 1 - count})
    os.write(3, struct.pack(">I", len(body)) + body)
time.sleep(60)
