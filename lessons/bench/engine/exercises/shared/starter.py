# Step 3: rewrite gradients above.
