# tries: to raise its limit of open files to what it once was
# outcome: raised
# twin: none: it takes CAP_SYS_RESOURCE, which not every root has
import resource

hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard + 1, hard + 1))
print("ESCAPED")
