# 3/6: gradients
