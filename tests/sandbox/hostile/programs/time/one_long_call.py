# tries: one call of compiled code that takes an hour and hears no signal
# outcome: timed_out
# deadline: 0.5
# twin: endless
pow(3, 10**9)
