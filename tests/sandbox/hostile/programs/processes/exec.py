# tries: to become another program that the filter's author did not think of
# outcome: forbidden
import os

os.execv("/bin/sh", ["sh", "-c", "echo ESC''APED"])
