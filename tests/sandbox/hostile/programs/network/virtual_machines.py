# tries: to reach the virtual machine's host (AF_VSOCK)
# outcome: forbidden
import socket

socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
print("ESCAPED")
