"""Who runs next: places, memory, and turns between addresses and learners."""
