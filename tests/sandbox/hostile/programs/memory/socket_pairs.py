# tries: memory in the kernel, in pairs of sockets that nobody reads
# outcome: forbidden, raised
import socket

PAIRS = 100_000  # twin: 300
kept = []
for _ in range(PAIRS):
    kept.append(socket.socketpair())
    kept[-1][0].setblocking(False)
    kept[-1][0].send(bytes(65536))
    if len(kept) == 300:
        print("ESCAPED")
