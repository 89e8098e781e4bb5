# tries: /etc/shadow
# outcome: forbidden, finished
# twin: as root escapes
print("ESCAPED" if open("/etc/shadow").read() else "empty")
