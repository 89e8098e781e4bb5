# tries: to connect one end of a pair to somebody else
# outcome: forbidden, raised
import socket

left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
right.bind("\0hostile-connected")
left.connect("\0hostile-connected")
print("ESCAPED")
