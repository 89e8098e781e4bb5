# tries: fexecve on an open file
# outcome: forbidden, raised
import os

file = os.open("/bin/sh", os.O_RDONLY)
os.execve(file, ["sh", "-c", "echo ESC''APED"], {})
