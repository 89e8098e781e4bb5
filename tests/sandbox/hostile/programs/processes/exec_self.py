# tries: to start Python anew, without the sandbox's Python around it
# outcome: forbidden
import os
import sys

os.execve(sys.executable, ["python", "-c", "print('ESC' + 'APED')"], {})
