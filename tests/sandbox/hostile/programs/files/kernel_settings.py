# tries: to change the kernel's settings
# outcome: finished
# twin: as root escapes
for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/oom_score_adj", "/sys/kernel/uevent_helper"):
    try:
        open(path, "a").close()
        print("ESCAPED", path)
    except OSError as error:
        print(error)
