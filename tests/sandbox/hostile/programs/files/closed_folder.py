# tries: folders that the cleaner may not enter
# outcome: finished, forbidden
# twin: none: nobody cleans up after a twin
import os

os.makedirs("a/b/c")
open("a/b/c/file", "w").close()
for folder in ("a/b/c", "a/b", "a", "."):
    os.chmod(folder, 0)
