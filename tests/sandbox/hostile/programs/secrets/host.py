# tries: what tells one host from another
# outcome: forbidden, raised
print(open("/etc/hostname").read() + open("/proc/version").read())
print("ESCAPED")
