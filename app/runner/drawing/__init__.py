"""From the records of graphs and figures to pictures."""
