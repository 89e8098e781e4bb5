# tries: to put bytecode beside a source that others import
# outcome: forbidden, raised
# twin: as root escapes
import os

path = os.path.join(os.path.dirname(os.__file__), "__pycache__", "hostile.pyc")
open(path, "wb").close()
os.remove(path)
print("ESCAPED")
