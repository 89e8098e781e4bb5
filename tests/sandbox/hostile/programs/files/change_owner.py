# tries: to give a file to root, or to take one
# outcome: forbidden
import os

open("mine", "w").close()
os.chown("mine", os.getuid(), os.getgid())
print("ESCAPED")
