# tries: the devices of memory and of the kernel's messages
# outcome: finished
# twin: as root escapes
import os

for device in ("/dev/kmsg", "/dev/mem", "/dev/port", "/dev/kvm", "/dev/fuse", "/dev/vda", "/dev/sda"):
    try:
        os.close(os.open(device, os.O_RDONLY | os.O_NONBLOCK))
        print("ESCAPED", device)
    except OSError as error:
        print(error)
