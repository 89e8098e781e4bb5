# tries: to write to a file beside the runs' folders that anybody may write to
# outcome: finished
# says: refused
import os

NAME = "writable-file"  # twin: "own-file"
if NAME == "own-file":
    open(NAME, "w").close()
for up in ("", "../", "../../", "../../../", "../../../../"):
    try:
        with open(up + NAME, "r+") as file:
            file.write("changed")
        print("ESCAPED")
    except OSError as error:
        print("refused", error)
