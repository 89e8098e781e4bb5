# tries: to read what was meant for another
# outcome: timed_out
# deadline: 1
# twin: endless
import os

TWIN = False  # twin: True
print(os.read(os.pipe()[0] if TWIN else 3, 1000))
print("ESCAPED")
