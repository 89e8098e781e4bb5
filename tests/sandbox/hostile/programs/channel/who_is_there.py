# tries: to find the server's process by its socket (SO_PEERCRED) and reach it
# outcome: finished
# says: refused
# twin: none: there is no run channel outside
import os
import socket
import struct

pid, uid, gid = struct.unpack("3i", socket.socket(fileno=os.dup(3)).getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
for attempt in (lambda: os.kill(pid or 2, 0), lambda: open(f"/proc/{pid}/environ")):
    try:
        attempt()
        if pid != os.getpid():
            print("ESCAPED")
    except OSError as error:
        print("refused", error)
