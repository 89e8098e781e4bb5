# tries: to fill the disk through mappings of files
# outcome: raised, crashed, forbidden, out_of_memory
# deadline: 30
import mmap
import time

FILES = 10**6  # twin: 2
WORKED = 12  # twin: 1
SECONDS = 3  # twin: 0
for count in range(FILES):
    with open(f"file{count}", "w+b") as file:
        file.truncate(50 << 20)
        with mmap.mmap(file.fileno(), 50 << 20) as view:
            view[::4096] = bytes(len(range(0, 50 << 20, 4096)))
    if count == WORKED:
        time.sleep(SECONDS)  # a bound that somebody has to look after takes a moment
        print("ESCAPED")
