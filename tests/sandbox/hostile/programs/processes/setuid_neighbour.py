# tries: to become the uid of the next run
# outcome: forbidden
# twin: as root escapes
import os

os.setresuid(os.getuid() + 1, os.getuid() + 1, os.getuid() + 1)
print("ESCAPED")
