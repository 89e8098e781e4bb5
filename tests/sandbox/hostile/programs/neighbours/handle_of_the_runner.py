# tries: a handle of the process at the other end of a socket (SO_PEERPIDFD), and who it is (SO_PEERCRED)
# outcome: finished
# says: refused
import socket

pair = socket.socketpair()
for option in (77, socket.SO_PEERCRED):
    try:
        pair[0].getsockopt(socket.SOL_SOCKET, option, 12)
        print("ESCAPED")
    except OSError as error:
        print("refused", error)
