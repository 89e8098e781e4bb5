# tries: to read the zygote's memory
# outcome: forbidden, raised
import os

open(f"/proc/{os.getppid()}/mem", "rb").close()
print("ESCAPED")
