def energy(v, c=2e-6):
    return 0.5 * c * v * v
