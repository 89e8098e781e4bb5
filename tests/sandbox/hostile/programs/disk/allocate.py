# tries: to reserve the disk without writing
# outcome: raised, forbidden
import os
import time

FILES = 10**6  # twin: 2
WORKED = 12  # twin: 1
SECONDS = 3  # twin: 0
for count in range(FILES):
    file = os.open(f"file{count}", os.O_WRONLY | os.O_CREAT)
    os.posix_fallocate(file, 0, 50 << 20)
    os.close(file)
    if count == WORKED:
        time.sleep(SECONDS)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
