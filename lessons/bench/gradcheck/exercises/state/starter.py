# 5/5: check
