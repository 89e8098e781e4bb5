# tries: to read through a link in its own folder
# outcome: forbidden, raised, finished
import os

os.symlink("/etc/passwd", "link")
print("ESCAPED" if open("link").read() else "empty")
