# tries: to see what lies beside its own folder
# outcome: finished
import os

for up in ("..", "../..", "../../..", "../../../.."):
    try:
        print("ESCAPED", os.listdir(up))
    except OSError as error:
        print(error)
