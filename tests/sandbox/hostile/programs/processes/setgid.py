# tries: to become another group
# outcome: forbidden
# twin: as root escapes
import os

os.setgid(os.getgid() + 1)
print("ESCAPED")
