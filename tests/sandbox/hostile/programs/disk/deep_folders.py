# tries: folders a thousand deep, whose path is too long to be named
# outcome: finished
# twin: none: nobody cleans up after a twin
import os

for _ in range(1000):
    os.mkdir("deep" * 20)
    os.chdir("deep" * 20)
open("bottom", "w").close()
