# tries: to have the server's frames go to its output
# outcome: crashed
# twin: none: there is no run channel outside
import os

os.dup2(1, 3)
1 / 0
