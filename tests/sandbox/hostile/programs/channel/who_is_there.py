# tries: to find the server's process by its socket (SO_PEERCRED, SO_PEERPIDFD) and reach it
# outcome: finished
# says: refused
# twin: none: there is no run channel outside
import os
import socket

channel = socket.socket(fileno=os.dup(3))
for option in (socket.SO_PEERCRED, 77):
    try:
        print("ESCAPED", channel.getsockopt(socket.SOL_SOCKET, option, 12))
    except OSError as error:
        print("refused", error)
