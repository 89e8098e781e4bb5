# tries: to move to another process group
# outcome: forbidden
# twin: none: a leader of a session may not move, outside no more than inside
import os

os.setpgid(0, os.getpgid(0))
os.setpgid(0, 1)
print("ESCAPED")
