"""Trains in a process that has PyTorch, with its threads; a child made by fork is refused the session.

Ends with 77 where there is no PyTorch or NumPy.
"""
import os
import signal
import sys

try:
    import numpy
    import torch
except ModuleNotFoundError:
    sys.exit(77)
sys.path.insert(0, "tools/python")
import vdnn  # noqa: E402

NET = """{name: rows, input: {channels: 1, height: 12, width: 12}, classes: 3, batch: 8,
 layers: [{name: conv1, type: conv, out: 8, kernel: 3}, {name: fc, type: fc, out: 3}, {name: loss, type: softmax_loss}]}"""
X, Y = numpy.ones((8, 1, 12, 12), numpy.float32), numpy.zeros(8, numpy.int32)


def use_torch():
    matrix = torch.ones(300, 300)
    assert float(torch.mm(matrix, matrix)[0, 0]) == 300


def child_is_refused(session):
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        try:
            session.step(X, Y)
        except vdnn.Error as error:
            os._exit(0 if error.status == "USAGE" else 1)
        os._exit(1)
    return os.waitpid(child, 0)[1] == 0


torch.set_num_threads(2)
use_torch()
with vdnn.Session(vdnn.Model(text=NET), budget="16MiB", threads=2) as opened:
    opened.step(X, Y)
    assert child_is_refused(opened)
    opened.step(X, Y)
    use_torch()
