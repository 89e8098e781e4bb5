"""The runner's side of the zygotes: starts them, keeps children waiting, and hands one to each run."""
