# tries: to replace os._exit and sys.exit, so that its process does not end
# outcome: finished
# twin: none: an interpreter ends by itself
import os
import sys

os._exit = sys.exit = lambda *_: print("ESCAPED")
