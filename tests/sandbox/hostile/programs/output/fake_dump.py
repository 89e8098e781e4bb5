# tries: to have its errors kept back as if it had crashed
# outcome: finished
# says: and more
# twin: none: there is nobody who looks for crashes outside
import sys

sys.stderr.write("\nFatal Python error: none\nand more\n")
