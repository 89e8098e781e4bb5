# tries: endless names for one file
# outcome: raised, forbidden
# deadline: 30
import os
import time

LINKS = 10**9  # twin: 20_001
open("file", "w").close()
for count in range(LINKS):
    os.link("file", f"link{count}")
    if count == 20_000:
        time.sleep(1)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
