# tries: to fill the disk with files that have no name any more
# outcome: raised, forbidden
# deadline: 30
import os
import time

FILES = 10**6  # twin: 8
WORKED = 200  # twin: 7
SECONDS = 3  # twin: 0
kept = []
for count in range(FILES):
    kept.append(os.open("file", os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    os.remove("file")
    os.write(kept[-1], bytes(10 << 20))
    if count == WORKED:
        time.sleep(SECONDS)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
