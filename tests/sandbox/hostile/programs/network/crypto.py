# tries: the kernel's cryptography (AF_ALG), a large attack surface
# outcome: forbidden
# twin: none: this kernel was built without it
import socket

socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)
print("ESCAPED")
