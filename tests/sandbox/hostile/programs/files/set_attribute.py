# tries: to hide bytes in a file's attributes
# outcome: finished
# twin: escapes
import os

open("mine", "w").close()
try:
    os.setxattr("mine", "user.hidden", b"x" * 1000)
    print("ESCAPED")
except OSError as error:
    print(error)
