# tries: a file that runs as somebody else
# outcome: finished, forbidden
import os

open("program", "w").close()
try:
    os.chmod("program", 0o6777)
    mounted = os.statvfs(".").f_flag
    print("harmless" if mounted & os.ST_NOSUID else "ESCAPED")
except PermissionError as error:
    print(error)
