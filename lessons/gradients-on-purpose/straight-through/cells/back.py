for f in (Quantise, Gated):
    w = torch.full((3,), -0.1, requires_grad=True)
    train(f.apply, w, outside, steps=100)
    stored = w[2].item()
    losses = train(f.apply, w, inside, steps=300)
    found = [i for i, loss in enumerate(losses) if loss < 0.01]
    steps = found[0] if found else "never"
    print(f"{f.__name__:9} stored {stored:.1f}, steps back: {steps}")
