# tries: to use up the file system's nodes
# outcome: raised, forbidden
# deadline: 30
FILES = 10**9  # twin: 20_001
for count in range(FILES):
    open(f"file{count}", "w").close()
    if count == 20_000:
        print("ESCAPED")
