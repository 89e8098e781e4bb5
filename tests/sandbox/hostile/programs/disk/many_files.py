# tries: to fill the disk with many files
# outcome: raised, forbidden
# deadline: 30
import time

FILES = 10**6  # twin: 8
WORKED = 64  # twin: 7
SECONDS = 3  # twin: 0
for count in range(FILES):
    with open(f"file{count}", "wb") as file:
        file.write(bytes(10 << 20))
    if count == WORKED:
        time.sleep(SECONDS)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
