layer = ScaleShiftLayer(1)
train(layer)
bare = ScaleShiftLayer(3, shift=False)
for each in layer, bare:
    print(each, [name for name, _ in each.named_parameters()])
print("bare.shift:", bare.shift)
