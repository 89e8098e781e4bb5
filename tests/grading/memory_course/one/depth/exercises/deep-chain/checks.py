from gradroom import Subject, check, draw, mistake, out_of_memory

deep = Subject("deep", lambda: [draw.tensor((1024,))])


@check
def values():
    deep.values()


@check
def gradients():
    deep.gradients()


@mistake
def keeps_everything():
    return out_of_memory()
