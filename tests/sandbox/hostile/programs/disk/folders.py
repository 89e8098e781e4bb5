# tries: to use up the file system's nodes with folders
# outcome: raised, forbidden
# deadline: 30
import os

FOLDERS = 10**9  # twin: 20_001
for count in range(FOLDERS):
    os.mkdir(f"folder{count}")
    if count == 20_000:
        print("ESCAPED")
