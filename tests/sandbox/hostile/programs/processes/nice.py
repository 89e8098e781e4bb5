# tries: to raise its priority
# outcome: forbidden
# twin: as root escapes
import os

os.nice(-1)
print("ESCAPED")
