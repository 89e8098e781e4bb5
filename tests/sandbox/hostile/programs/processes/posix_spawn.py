# tries: posix_spawn, which uses vfork
# outcome: forbidden
import os
import sys

pid = os.posix_spawn(sys.executable, ["python", "-c", "print('ESC' + 'APED')"], {})
os.waitpid(pid, 0)
