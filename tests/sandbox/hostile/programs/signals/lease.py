# tries: to hold up whoever opens a file (F_SETLEASE)
# outcome: forbidden
import fcntl

with open("leased", "w") as file:
    file.flush()
with open("leased") as file:
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
print("ESCAPED")
