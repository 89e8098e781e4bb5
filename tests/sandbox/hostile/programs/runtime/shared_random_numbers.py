# tries: to guess the next learner's random numbers by what the fork left
# outcome: finished
# says: seeded anew
# twin: none: there is no fork outside
import random

random.seed()
print("seeded anew" if random.random() != random.Random(0).random() else "ESCAPED")
