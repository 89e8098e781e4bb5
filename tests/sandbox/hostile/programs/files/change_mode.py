# tries: to let others write to the library
# outcome: forbidden, raised
# twin: as root escapes
import os

path = os.path.join(os.path.dirname(os.__file__), "antigravity.py")
os.chmod(path, os.stat(path).st_mode)
print("ESCAPED")
