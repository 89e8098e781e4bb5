# tries: to leave the session in which the supervisor put it
# outcome: forbidden
# twin: none: the twin leads its session already, as the sandboxed program does
import os

os.setsid()
print("ESCAPED")
