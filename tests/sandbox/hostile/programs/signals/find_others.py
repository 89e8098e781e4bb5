# tries: to reach any process by its number
# outcome: finished
import os

for pid in range(1, 70_000):
    try:
        os.kill(pid, 0)
    except OSError:
        continue
    if pid != os.getpid():
        print("ESCAPED", pid)
        break
