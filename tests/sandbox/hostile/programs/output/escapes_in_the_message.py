# tries: control characters in an exception
# outcome: raised
# mark: "\x1b"
# twin: escapes
raise ValueError("\x1b[31m\0\x07\ud800")
