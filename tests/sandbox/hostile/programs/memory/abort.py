# tries: os.abort
# outcome: crashed
# twin: dies
import os

os.abort()
