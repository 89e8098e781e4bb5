# tries: as much memory in the kernel as pairs of sockets and pipes hold, and to keep it
# outcome: forbidden, out_of_memory, raised
# says: Too many open files
import os
import socket

PAIRS = 1000  # twin: 200
kept = []
for _ in range(PAIRS):
    pair = socket.socketpair()
    kept += pair
    for end in pair:
        end.setblocking(False)
        try:
            while True:
                end.send(bytes(65536))
        except BlockingIOError:
            pass
    if len(kept) > 300:
        print("ESCAPED")
        break
