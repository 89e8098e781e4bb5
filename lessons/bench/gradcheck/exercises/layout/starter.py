# 3/5: check
