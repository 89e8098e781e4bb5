# tries: endless names for one file
# outcome: raised, forbidden
# deadline: 30
import os
import time

LINKS = 10**9  # twin: 5_001
WORKED = 20_000  # twin: 5_000
SECONDS = 3  # twin: 0
open("file", "w").close()
for count in range(LINKS):
    os.link("file", f"link{count}")
    if count == WORKED:
        time.sleep(SECONDS)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
