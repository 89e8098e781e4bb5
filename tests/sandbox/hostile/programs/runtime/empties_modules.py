# tries: to take every module away
# outcome: finished, raised, crashed
# twin: none: what is broken outside is the program itself
import sys

sys.modules.clear()
sys.path.clear()
