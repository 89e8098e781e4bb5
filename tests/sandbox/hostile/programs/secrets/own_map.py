# tries: to learn where everything lies in memory
# outcome: forbidden, raised
print(open("/proc/self/maps").read(100))
print("ESCAPED")
