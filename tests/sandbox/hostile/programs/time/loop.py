# tries: a loop that never ends
# outcome: timed_out
# deadline: 0.5
# twin: endless
while True:
    pass
