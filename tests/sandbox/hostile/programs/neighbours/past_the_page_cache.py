# tries: to read a library from the disk again and again (O_DIRECT), and to open a path without the right to read (O_PATH)
# outcome: finished
# says: refused
import os

for flag in (os.O_DIRECT, os.O_PATH):
    try:
        os.open(os.__file__, os.O_RDONLY | flag)
        print("ESCAPED")
    except OSError as error:
        print("refused", error)
