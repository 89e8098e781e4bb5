# tries: multiprocessing.Process
# outcome: forbidden
import multiprocessing

process = multiprocessing.get_context("fork").Process(target=print, args=("from a process of my own",))
process.start()
process.join()
print("ESCAPED")
