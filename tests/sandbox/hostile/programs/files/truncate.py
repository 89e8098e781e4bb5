# tries: to empty a file that others need
# outcome: forbidden, raised
# twin: as root escapes
import os

path = os.path.join(os.path.dirname(os.__file__), "LICENSE.txt")
path = path if os.path.exists(path) else os.path.join(os.path.dirname(os.__file__), "antigravity.py")
os.truncate(path, os.path.getsize(path))
print("ESCAPED")
