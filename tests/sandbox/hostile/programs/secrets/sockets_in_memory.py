# tries: to find the zygote's control socket as an object and speak through it
# outcome: finished
import gc
import os
import socket

TWIN = False  # twin: True
kept = socket.socketpair() if TWIN else None
for thing in gc.get_objects():
    if isinstance(thing, socket.socket) and thing.fileno() > 3:
        try:
            os.write(thing.fileno(), b"\xa3abc")
            print("ESCAPED")
        except OSError as error:
            print(error)
