# tries: /etc/passwd
# outcome: forbidden, finished
print("ESCAPED" if open("/etc/passwd").read() else "empty")
