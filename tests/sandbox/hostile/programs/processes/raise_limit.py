# tries: to raise its limit of memory
# outcome: raised
# says: not allowed to raise maximum limit
# twin: none: it takes CAP_SYS_RESOURCE, which not every root has
import resource

hard = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (hard * 2, hard * 2))
print("ESCAPED")
