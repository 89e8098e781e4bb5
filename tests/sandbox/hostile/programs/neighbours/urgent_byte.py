# tries: an urgent byte through a pair (MSG_OOB), whose handling in the kernel has had holes
# outcome: finished
# says: refused
import socket

pair = socket.socketpair()
try:
    pair[0].send(b"x", socket.MSG_OOB)
    print("ESCAPED")
except OSError as error:
    print("refused", error)
