# tries: to find the server's secrets in the C library's environment
# outcome: finished
# mark: "the-secret-of-this-server"
import ctypes

pointers = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
index = 0
while pointers and pointers[index]:
    print(pointers[index].decode(errors="replace"))
    index += 1
