# tries: a file that is large in name only
# outcome: raised
BYTES = 1 << 40  # twin: 100 << 20
with open("sparse", "wb") as file:
    file.truncate(BYTES)
print("ESCAPED")
