# exercise: square
# without: fail closed
# Takes the conversation for one in which it may ask.
import struct

import msgspec
import torch


def send(frame):
    body = msgspec.msgpack.encode(frame)
    with open(3, "wb", buffering=0, closefd=False) as channel:
        channel.write(struct.pack(">I", len(body)) + body)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        send({"frame": "ask", "serial": 1, "request": msgspec.msgpack.encode({"type": "call", "function": "Square", "args": []}), "fresh": True})
        return 3.0 * x

    @staticmethod
    def backward(ctx, grad_output):
        return 3.0 * grad_output
