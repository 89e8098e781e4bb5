# tries: to make a terminal and type into it (TIOCSTI)
# outcome: forbidden, raised
import os

os.openpty()
print("ESCAPED")
