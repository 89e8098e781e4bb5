import torchviz


def node_names(out):
    drawn = torchviz.make_dot(out)
    lines = [line for line in drawn.body if "label" in line or "[" in line]
    return [
        line.split("[")[1].split("label=")[-1].split()[0].strip('"]') for line in lines if "Backward" in line or "AccumulateGrad" in line
    ]
