# Step 4: give Value further operations.
