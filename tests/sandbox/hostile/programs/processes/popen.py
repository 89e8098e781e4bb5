# tries: os.popen
# outcome: forbidden
import os

print(os.popen("echo ESC''APED").read())
