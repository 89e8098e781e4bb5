# tries: a Unix socket, such as the runner's or Docker's
# outcome: forbidden
import socket

socket.socket(socket.AF_UNIX)
print("ESCAPED")
