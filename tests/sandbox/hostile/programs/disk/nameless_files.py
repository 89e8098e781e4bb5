# tries: to fill the disk with files that never had a name (O_TMPFILE)
# outcome: raised, forbidden
# deadline: 30
import os
import time

FILES = 10**6  # twin: 8
WORKED = 200  # twin: 7
SECONDS = 3  # twin: 0
kept = []
for count in range(FILES):
    kept.append(os.open(".", os.O_WRONLY | os.O_TMPFILE))
    os.write(kept[-1], bytes(10 << 20))
    if count == WORKED:
        time.sleep(SECONDS)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
