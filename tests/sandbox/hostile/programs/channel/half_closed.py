# tries: to hang up on one side only
# outcome: crashed
# twin: none: there is no run channel outside
import os
import socket
import time

socket.socket(fileno=os.dup(3)).shutdown(socket.SHUT_WR)
time.sleep(60)
