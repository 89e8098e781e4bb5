# tries: to change torch for everybody after it
# outcome: forbidden, raised
# twin: as root escapes
import importlib.util

open(importlib.util.find_spec("torch").origin, "a").close()
print("ESCAPED")
