import gc
import weakref

gc.disable()  # collect only when told to, below
x = torch.zeros(1000, requires_grad=True)
out = ExpKept.apply(x)
alive = weakref.ref(out)
out.sum().backward()
del out
print("exists after del:", alive() is not None)
gc.collect()
print("exists after gc.collect():", alive() is not None)
