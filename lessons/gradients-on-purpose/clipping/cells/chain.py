def gradients(step):
    u = torch.tensor(1.0, requires_grad=True)
    w = torch.tensor(2.0, requires_grad=True)
    h = u
    for _ in range(10):
        h = step(w, h)
    h.backward()
    return u, w


def show(name, u, w):
    print(f"{name:9} u.grad {u.grad:6.0f}  w.grad {w.grad:6.0f}")


show("plain", *gradients(lambda w, h: w * h))

u, w = gradients(lambda w, h: w * h)
torch.nn.utils.clip_grad_value_([w], 1.0)
show("afterward", u, w)

u, w = gradients(lambda w, h: Clip.apply(w * h, 1.0))
show("inside", u, w)
