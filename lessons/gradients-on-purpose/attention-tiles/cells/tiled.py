def tiled(q, k, v, tile):
    top = q.new_full((len(q), 1), -math.inf)
    total = q.new_zeros(len(q), 1)
    out = q.new_zeros(len(q), v.shape[1])
    for k_tile, v_tile in zip(k.split(tile), v.split(tile)):
        scores = q @ k_tile.T / math.sqrt(q.shape[1])
        new_top = torch.maximum(top, scores.amax(1, keepdim=True))
        factor = torch.exp(top - new_top)  # 1 where top stays
        e = torch.exp(scores - new_top)
        total = total * factor + e.sum(1, keepdim=True)
        out = out * factor + e @ v_tile
        top = new_top
    return out / total, top + torch.log(total)
