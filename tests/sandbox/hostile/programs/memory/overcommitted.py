# tries: zeros that no memory stands behind yet
# outcome: out_of_memory
# deadline: 30
import numpy

ELEMENTS = 10**12  # twin: 80 * 10**6
numpy.zeros(ELEMENTS)[::512] = 1
print("ESCAPED")
