# tries: a number of five thousand digits
# outcome: finished, raised
# twin: none: there is no JSON outside
10**5000
