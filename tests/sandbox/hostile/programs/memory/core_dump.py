# tries: to leave an image of itself on the disk
# outcome: crashed
# twin: dies
import os
import resource
import signal

hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
signal.signal(signal.SIGSEGV, signal.SIG_DFL)
os.kill(os.getpid(), signal.SIGSEGV)
os.abort()
