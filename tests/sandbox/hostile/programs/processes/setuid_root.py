# tries: to become root
# outcome: forbidden
# twin: as root escapes
import os

os.setuid(0)
print("ESCAPED")
