import matplotlib.pyplot as plt

lengths = [250, 500, 1000, 1500, 2000]
sizes = [kept(attention, n) for n in lengths]

plt.figure(figsize=(5, 3))
plt.plot(lengths, [s for s, _ in sizes], "o-", label="n × n: p")
plt.plot(lengths, [t - s for s, t in sizes], "s--", label="q, k, v")
plt.xlabel("length n")
plt.ylabel("MB kept for backward")
plt.title("What attention keeps")
plt.legend()
plt.tight_layout()
