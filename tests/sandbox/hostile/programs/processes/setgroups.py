# tries: to join other groups
# outcome: forbidden
# twin: as root escapes
import os

os.setgroups([0])
print("ESCAPED")
