# tries: to remove a file that others need
# outcome: forbidden, raised
# twin: as root escapes
import os

folder = os.path.dirname(os.__file__)
TARGET = os.path.join(folder, "antigravity.py")  # twin: os.path.join(folder, "hostile-target")
if TARGET.endswith("hostile-target"):
    open(TARGET, "w").close()
os.remove(TARGET)
print("ESCAPED")
