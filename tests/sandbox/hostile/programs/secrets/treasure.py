# tries: to write to a file beside the runs' folders that anybody may write to
# outcome: finished
# says: refused
import os

TREASURE = "treasure"  # twin: "own-treasure"
if TREASURE == "own-treasure":
    open(TREASURE, "w").close()
for up in ("", "../", "../../", "../../../", "../../../../"):
    try:
        with open(up + TREASURE, "r+") as file:
            file.write("stolen")
        print("ESCAPED")
    except OSError as error:
        print("refused", error)
