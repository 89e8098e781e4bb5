# tries: a pickle that runs a program when it is loaded
# outcome: forbidden
import os
import pickle


class Evil:
    def __reduce__(self):
        return os.posix_spawn, ("/bin/sh", ["sh", "-c", "echo ESC''APED; sleep 0.1"], {})


pid = pickle.loads(pickle.dumps(Evil()))
os.waitpid(pid, 0)
