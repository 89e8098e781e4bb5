# tries: to use up the file system's nodes with folders
# outcome: raised, forbidden
# deadline: 30
import os
import time

FOLDERS = 10**9  # twin: 5_001
WORKED = 20_000  # twin: 5_000
SECONDS = 3  # twin: 0
for count in range(FOLDERS):
    os.mkdir(f"folder{count}")
    if count == WORKED:
        time.sleep(SECONDS)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
