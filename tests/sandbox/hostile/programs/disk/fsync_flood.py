# tries: to keep the disk busy for everybody
# outcome: timed_out, raised
# deadline: 1
# twin: endless
import os

with open("file", "wb") as file:
    while True:
        file.seek(0)
        file.write(bytes(1 << 20))
        file.flush()
        os.fsync(file.fileno())
