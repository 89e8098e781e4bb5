# tries: a socket of IPv6
# outcome: forbidden
import socket

socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
print("ESCAPED")
