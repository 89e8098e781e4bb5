# tries: a Unix socket in the abstract namespace
# outcome: forbidden
import socket

server = socket.socket(socket.AF_UNIX)
server.bind("\0hostile")
print("ESCAPED")
