# tries: to look into people's folders
# outcome: finished
import os

for folder in ("/root", "/home", "/work", "/opt/gradroom/app", "/var", "/var/lib", "/srv", "/run", "/tmp", "/etc"):
    try:
        names = os.listdir(folder)
        print("ESCAPED" if names else "empty", folder)
    except OSError as error:
        print(error)
