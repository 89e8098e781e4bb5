"""What the torch runtime prepares in a child before a program begins."""

from tests.runtimes.children import Children

FIRST_IN_THREADS = """
import threading, torch
x = torch.ones(4, requires_grad=True)
together = threading.Barrier(10)
def work():
    together.wait()
    x * x
threads = [threading.Thread(target=work) for _ in range(10)]
[t.start() for t in threads]
[t.join() for t in threads]
print("done")
"""


def test_the_first_operations_of_a_program_may_be_in_threads(children: Children) -> None:
    """Without an engine made before, one of five such programs ended with a segmentation fault."""
    assert [children.run(FIRST_IN_THREADS).stdout for _ in range(50)] == ["done\n"] * 50
