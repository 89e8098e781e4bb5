# tries: to put a module where everybody's Python finds it
# outcome: forbidden, raised
# twin: as root escapes
import os

folder = os.path.join(os.path.dirname(os.__file__), "hostile_package")
os.mkdir(folder)
os.rmdir(folder)
print("ESCAPED")
