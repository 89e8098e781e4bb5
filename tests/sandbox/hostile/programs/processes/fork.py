# tries: to fork
# outcome: forbidden
import os

if os.fork() == 0:
    os._exit(0)
print("ESCAPED")
