# tries: to hand the server a descriptor (SCM_RIGHTS)
# outcome: forbidden, raised
# twin: none: there is no run channel outside
import os
import socket

socket.send_fds(socket.socket(fileno=os.dup(3)), [b"\0\0\0\0"], [0, 1, 2])
print("ESCAPED")
