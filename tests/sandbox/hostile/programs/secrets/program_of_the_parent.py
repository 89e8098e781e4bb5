# tries: to see what the zygote was started from
# outcome: forbidden, raised
import os

print(os.readlink(f"/proc/{os.getppid()}/exe"))
print("ESCAPED")
