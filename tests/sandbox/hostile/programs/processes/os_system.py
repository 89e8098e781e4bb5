# tries: os.system
# outcome: forbidden
import os

os.system("echo ESC''APED")
