# tries: to leave a file for others in /tmp
# outcome: forbidden, raised
import os

open("/tmp/hostile-file", "w").close()
os.remove("/tmp/hostile-file")
print("ESCAPED")
