# tries: to pass a descriptor through a pair of sockets
# outcome: forbidden
import socket

left, right = socket.socketpair()
socket.send_fds(left, [b"x"], [0])
print("ESCAPED")
