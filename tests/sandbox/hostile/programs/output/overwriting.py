# tries: to overwrite what it printed (carriage return, backspace)
# outcome: finished
# mark: "\x08"
print("honest\rESC\b\b\bAP")
