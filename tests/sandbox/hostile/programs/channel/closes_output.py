# tries: to close its output and finish
# outcome: finished
# twin: none: this is about the server's own flush at the end
import os

print("done")
os.close(0)
os.close(1)
os.close(2)
