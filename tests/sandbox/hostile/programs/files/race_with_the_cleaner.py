# tries: folders that become links while somebody walks through them
# outcome: timed_out
# deadline: 1
# twin: endless
import os

os.makedirs("a/b")
os.symlink("../..", "link")
while True:
    os.rename("a", "c")
    os.rename("link", "a")
    os.rename("a", "link")
    os.rename("c", "a")
