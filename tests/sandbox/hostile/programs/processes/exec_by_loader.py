# tries: to have the dynamic loader run a program that may not be executed
# outcome: forbidden, raised
import glob
import os

(loader, *_) = glob.glob("/lib64/ld-linux*") + glob.glob("/lib/ld-linux*")
os.execv(loader, [loader, "/bin/sh", "-c", "echo ESC''APED"])
