# tries: to recurse for ever
# outcome: raised
# says: maximum recursion depth exceeded
# twin: dies
def again():
    again()


again()
