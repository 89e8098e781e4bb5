# tries: to listen to the wire
# outcome: forbidden
# twin: as root escapes
import socket

socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
print("ESCAPED")
