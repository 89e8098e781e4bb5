# tries: an import hook that never returns
# outcome: timed_out
# deadline: 1
# twin: endless
import sys


class Finder:
    def find_spec(self, *_):
        while True:
            pass


sys.meta_path.insert(0, Finder())
import a_module_that_is_not_there
