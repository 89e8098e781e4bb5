# tries: a socket to the internet
# outcome: forbidden
import socket

socket.socket(socket.AF_INET, socket.SOCK_STREAM)
print("ESCAPED")
