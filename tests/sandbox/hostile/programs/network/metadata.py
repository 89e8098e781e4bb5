# tries: the cloud's metadata address, where keys lie
# outcome: forbidden
import socket

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
    TARGET = ("169.254.169.254", 80)  # twin: ("127.0.0.1", 80)
    sock.connect(TARGET)
print("ESCAPED")
