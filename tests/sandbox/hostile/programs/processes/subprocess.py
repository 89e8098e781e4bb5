# tries: subprocess
# outcome: forbidden
import subprocess

print(subprocess.run("echo ESC''APED", shell=True, capture_output=True, text=True).stdout)
