# tries: to read through a link in its own folder
# outcome: forbidden, raised
import os

os.symlink("/etc/passwd", "link")
open("link").close()
print("ESCAPED")
