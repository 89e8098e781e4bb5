# tries: to fork with a terminal of its own
# outcome: forbidden, raised
import os
import pty

pid, _ = pty.fork()
if pid == 0:
    os._exit(0)
print("ESCAPED")
