# tries: to rename a file that others need
# outcome: forbidden, raised
# twin: as root escapes
import os

folder = os.path.dirname(os.__file__)
os.rename(os.path.join(folder, "antigravity.py"), os.path.join(folder, "hostile.py"))
os.rename(os.path.join(folder, "hostile.py"), os.path.join(folder, "antigravity.py"))
print("ESCAPED")
