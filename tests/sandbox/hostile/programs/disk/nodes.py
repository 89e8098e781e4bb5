# tries: to use up the file system's nodes
# outcome: raised, forbidden
# deadline: 30
FILES = 10**9  # twin: 5_001
WORKED = 20_000  # twin: 5_000
for count in range(FILES):
    open(f"file{count}", "w").close()
    if count == WORKED:
        print("ESCAPED")
