# tries: to wait for visitors on one end of a pair
# outcome: forbidden, raised
import socket

left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
left.bind("\0hostile-listening")
print("ESCAPED")
