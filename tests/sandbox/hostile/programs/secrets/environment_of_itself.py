# tries: /proc/self/environ
# outcome: forbidden, raised, finished
# mark: "the-secret-of-this-server"
print(open("/proc/self/environ").read())
