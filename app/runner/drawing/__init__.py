"""Has the layout process lay out graphs and copy PNGs, and makes the pictures of records."""
