styles = {Relu: "-", NoGate: "--", MinusRelu: ":"}
plt.figure(figsize=(5, 3))
for function, style in styles.items():
    curve = losses(function.apply)
    name = function.__name__
    print(f"{name:10} first {curve[0]:.4f}, last {curve[-1]:.4f}")
    plt.plot(curve, style, linewidth=2, label=name)
plt.yscale("log")
plt.xlabel("step")
plt.ylabel("loss")
plt.title("Right and wrong gradients")
plt.legend()
plt.show()
