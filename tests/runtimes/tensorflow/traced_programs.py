"""TensorFlow programs that would notice an observer."""

from tests.runtimes.tensorflow.functions import LINEAR, RELU, STRAIGHT_THROUGH

TAPE_OF_RELU = """
import traceback
with tf.GradientTape() as tape:
    tape.watch(x)
    print(x)
    y = relu(x)
    tf.print(y)
try:
    print(tape.gradient(y, x))
except ValueError:
    traceback.print_exc()
"""

PROGRAMS = {
    "a linear layer": LINEAR,
    "a straight-through estimator": STRAIGHT_THROUGH,
    "prints": RELU + TAPE_OF_RELU,
    "an error in a gradient": RELU.replace("return tf.where(x > 0, dy, tf.zeros_like(dy))", "raise ValueError('mine')") + TAPE_OF_RELU,
    "a stack that is printed": RELU.replace("return tf.where", "import traceback; traceback.print_stack(); return tf.where") + TAPE_OF_RELU,
    "a printed traceback": """
import tensorflow as tf, traceback
try:
    with tf.GradientTape() as tape:
        tf.matmul(tf.ones((2, 3)), tf.ones((2, 3)))
except Exception:
    traceback.print_exc()
""",
    "a traceback of an operation that is executed in Python": """
import tensorflow as tf, traceback
tf.debugging.disable_traceback_filtering()
try:
    with tf.GradientTape() as tape:
        tf.raw_ops.Pack(values=[[1.0], [1.0, 2.0]])
except Exception:
    traceback.print_exc()
""",
    "misused tapes": """
import tensorflow as tf
x = tf.Variable(1.0)
tape = tf.GradientTape()
for act in (lambda: tape.watch(x), lambda: tape.gradient(x, x), lambda: tape.gradient(None, x), lambda: tape._pop_tape()):
    try:
        print(act())
    except Exception as error:
        print(type(error), error)
with tape:
    y = x * x
print(tape.gradient(y, x))
try:
    tape.gradient(y, x)
except RuntimeError as error:
    print(error)
""",
    "jacobians, and nested sources and targets": """
import tensorflow as tf
x = tf.constant([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x**3
print(tape.jacobian(y, x), tape.gradient(y, [x, x]), tape.gradient({"a": y}, x))
""",
    "integers": """
import tensorflow as tf
x = tf.constant(1)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * 2
print(tape.gradient(y, x))
""",
    "a sparse gradient": """
import tensorflow as tf
v = tf.Variable(tf.ones((4, 2)))
with tf.GradientTape() as tape:
    y = tf.gather(v, [1, 3])
print(tape.gradient(y, v))
""",
    "weak references": """
import tensorflow as tf, gc, weakref
gc.disable()
x = tf.ones(3)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
tape.gradient(y, x)
references = [weakref.ref(each) for each in (tape, x, y)]
del x, y, tape
print([reference() for reference in references])
""",
    "random numbers": """
import tensorflow as tf, random
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = x * random.random() * tf.random.normal(())
print(tape.gradient(y, x), tf.random.uniform(()))
""",
    "a thread": """
import tensorflow as tf, threading
def work():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    print(tape.gradient(y, x))
thread = threading.Thread(target=work)
thread.start()
thread.join()
""",
    "a model": """
import tensorflow as tf
tf.keras.utils.set_random_seed(0)
model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
x = tf.ones((2, 4))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
print([gradient.shape for gradient in tape.gradient(loss, model.trainable_variables)], loss)
""",
    "forward mode": """
import tensorflow as tf
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**3
    gradient = tape.gradient(y, x)
print(accumulator.jvp(gradient))
""",
    "a class of tapes": """
import tensorflow as tf
class Tape(tf.GradientTape):
    def __eq__(self, other):
        print("eq")
        return False
    def __hash__(self):
        print("hash")
        return 1
    def watch(self, x):
        print("watch")
        super().watch(x)
x = tf.constant(2.0)
with Tape() as tape:
    tape.watch(x)
    y = x * x
print(tape.gradient(y, x))
""",
    "a tracer of its own": """
import tensorflow as tf, sys
x = tf.Variable(2.0)
def trace(frame, event, arg):
    if frame.f_code.co_name == "square":
        print(event)
def square(x):
    return x * x
sys.settrace(trace)
with tf.GradientTape() as tape:
    y = square(x)
print(tape.gradient(y, x))
sys.settrace(None)
""",
}
