# tries: to list the zygote's descriptors
# outcome: forbidden, raised
import os

os.listdir(f"/proc/{os.getppid()}/fd")
print("ESCAPED")
