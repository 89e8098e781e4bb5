# tries: the same in one byte
# outcome: finished
# mark: "\x9b"
print("\x9b31mred\x9d0;title\x9c")
