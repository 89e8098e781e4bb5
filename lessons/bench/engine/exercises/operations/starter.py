# 4/6: Value
