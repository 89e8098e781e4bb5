# tries: to have the cleaner follow links out of the folder
# outcome: finished
# twin: none: nobody cleans up after a twin
import os

for up in ("..", "../..", "../../.."):
    os.symlink(f"{up}/writable-file", "file" + up.replace("/", ""))
    os.symlink(up, "folder" + up.replace("/", ""))
os.symlink(".", "loop")
os.symlink("/", "root")
