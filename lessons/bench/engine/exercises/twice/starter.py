# 5/6: gradients
