# tries: /etc/passwd
# outcome: forbidden
open("/etc/passwd").close()
print("ESCAPED")
