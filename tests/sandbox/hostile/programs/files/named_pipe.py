# tries: to leave a named pipe on which a cleaner hangs
# outcome: forbidden
import os

os.mkfifo("pipe")
print("ESCAPED")
