# tries: to paint and retitle the terminal of whoever reads its output
# outcome: finished
# mark: "\x1b"
print("\x1b[31mred\x1b]0;title\x07\x1b[2J")
