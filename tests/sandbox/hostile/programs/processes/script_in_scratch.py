# tries: to execute a script of its own
# outcome: forbidden
import os

with open("program", "w") as file:
    file.write("#!/bin/sh\necho ESC''APED\n")
os.chmod("program", 0o755)
os.execv("./program", ["program"])
