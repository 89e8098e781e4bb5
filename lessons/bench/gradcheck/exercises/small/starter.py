# 4/5: check
