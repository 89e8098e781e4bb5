# Step 2: go on with check above, or write a new one.
