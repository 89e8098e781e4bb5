# Step 5: let gradients return Values that can be differentiated.
