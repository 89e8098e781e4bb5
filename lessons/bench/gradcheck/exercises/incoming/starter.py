# 2/5: check
