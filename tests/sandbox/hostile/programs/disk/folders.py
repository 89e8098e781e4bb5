# tries: to use up the file system's nodes with folders
# outcome: raised, forbidden
# deadline: 30
import os
import time

FOLDERS = 10**9  # twin: 20_001
for count in range(FOLDERS):
    os.mkdir(f"folder{count}")
    if count == 20_000:
        time.sleep(1)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
