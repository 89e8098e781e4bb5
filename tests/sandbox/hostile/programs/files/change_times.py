# tries: to make others' bytecode seem old
# outcome: forbidden, raised
# twin: as root escapes
import os

path = os.path.join(os.path.dirname(os.__file__), "antigravity.py")
os.utime(path, ns=(os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns))
print("ESCAPED")
