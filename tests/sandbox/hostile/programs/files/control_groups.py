# tries: to leave its control group
# outcome: finished
# twin: as root escapes
import glob

for path in glob.glob("/sys/fs/cgroup/*/tasks") + glob.glob("/sys/fs/cgroup/cgroup.procs") + ["/sys/fs/cgroup/memory/tasks"]:
    try:
        open(path, "a").close()
        print("ESCAPED")
    except OSError as error:
        print(error)
