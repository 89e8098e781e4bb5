# tries: a loop that never ends
# outcome: timed_out
# deadline: 1
# twin: endless
while True:
    pass
