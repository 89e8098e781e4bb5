# tries: to send pictures that unpack to gigabytes, and to have them drawn in the page's own process
# outcome: finished
# says: This figure could not be drawn
# twin: none: there is no run channel outside
import base64
import os
import struct
import zlib

import msgspec


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


zeros = zlib.compress(bytes(10**8), 9)
start = b"\x89PNG\r\n\x1a\n"
for number, parts in enumerate(([b"IDAT", zeros], [b"zTXt", b"a\0\0" + zeros, b"IDAT", zeros], [b"iCCP", b"a\0\0" + zeros, b"IDAT", zeros])):
    size = 50_000 if len(parts) == 2 else 4_096
    chunks = [chunk(*parts[at : at + 2]) for at in range(0, len(parts), 2)]
    png = start + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)) + b"".join(chunks)
    record = {"kind": "figure", "id": f"figure-{number}", "width": 9, "height": 9, "png": base64.b64encode(png).decode()}
    body = msgspec.msgpack.encode({"frame": "shown", "record": msgspec.json.encode(record)})
    frame = memoryview(struct.pack(">I", len(body)) + body)
    while frame:
        frame = frame[os.write(3, frame) :]
