# tries: to see by the free room of a file system what others write to it
# outcome: finished
# says: refused
# settings: container
import os

try:
    print("ESCAPED", os.statvfs(".").f_bfree)
except OSError as error:
    print("refused", error)
