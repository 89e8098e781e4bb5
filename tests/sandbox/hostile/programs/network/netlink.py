# tries: to talk to the kernel's network
# outcome: forbidden
import socket

socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
print("ESCAPED")
