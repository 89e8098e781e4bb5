# tries: to kill everybody it can reach
# outcome: raised, forbidden
# settings: root, user
import os

SIGNAL = 9  # twin: 0
os.kill(-1, SIGNAL)  # without a pid namespace the kernel answers that it worked though each process was spared
print("ESCAPED")
