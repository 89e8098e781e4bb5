# tries: a pair of another family than Unix
# outcome: forbidden
# twin: none: this kernel has no other family with pairs
import socket

socket.socketpair(30, socket.SOCK_STREAM)  # AF_TIPC
print("ESCAPED")
