# tries: to change Python's own library for everybody after it
# outcome: forbidden, raised
# twin: as root escapes
import os

open(os.path.join(os.path.dirname(os.__file__), "antigravity.py"), "a").close()
print("ESCAPED")
