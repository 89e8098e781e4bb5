# tries: NUL bytes
# outcome: finished
# mark: "\x00"
print("a\0b")
