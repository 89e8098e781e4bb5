# tries: to be given a descriptor through a pair of sockets
# outcome: forbidden
import socket

left, right = socket.socketpair()
left.send(b"x")
socket.recv_fds(right, 1, 1)
print("ESCAPED")
