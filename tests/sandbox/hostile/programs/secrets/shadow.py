# tries: /etc/shadow
# outcome: forbidden
# twin: as root escapes
open("/etc/shadow").close()
print("ESCAPED")
