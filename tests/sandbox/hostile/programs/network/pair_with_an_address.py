# tries: to send from one end of a pair to an address
# outcome: forbidden, raised
import os
import socket

TARGET = "\0hostile-target"
left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
try:
    right.bind(TARGET)
except PermissionError as error:
    print(error)
left.sendto(b"x", TARGET)
print("ESCAPED")
