# tries: to kill everybody it can reach
# outcome: raised, forbidden
# settings: root, user, container
import os

SIGNAL = 9  # twin: 0
os.kill(-1, SIGNAL)
print("ESCAPED")
