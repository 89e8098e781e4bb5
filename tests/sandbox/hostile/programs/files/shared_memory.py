# tries: to write to /dev/shm
# outcome: forbidden, raised
import os

open("/dev/shm/hostile", "w").close()
os.remove("/dev/shm/hostile")
print("ESCAPED")
