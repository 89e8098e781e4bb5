# tries: to look a name up, which could carry secrets out
# outcome: forbidden
import socket

socket.getaddrinfo("localhost", 80)
print("ESCAPED")
