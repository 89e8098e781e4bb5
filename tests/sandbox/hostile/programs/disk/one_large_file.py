# tries: to fill the disk with one file
# outcome: raised, forbidden
MEBIBYTES = 10**6  # twin: 66
WORKED = 128  # twin: 65
with open("large", "wb") as file:
    for count in range(MEBIBYTES):
        file.write(bytes(1 << 20))
        file.flush()
        if count == WORKED:
            print("ESCAPED")
