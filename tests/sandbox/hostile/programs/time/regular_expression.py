# tries: a regular expression that never ends
# outcome: timed_out
# deadline: 0.5
# twin: endless
import re

re.match(r"(a+)+$", "a" * 60 + "b")
