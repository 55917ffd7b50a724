"""Trains deep networks inside a memory budget.

    import vdnn
    session = vdnn.Session("lenet", budget="24MiB", batch=64)
    for x, y in batches:            # float32 (batch, 1, 28, 28), integers (batch,)
        loss = session.step(x, y)
    weights = session.state_dict()  # NumPy arrays by PyTorch's names

A session plans when it is made: which activations leave the device, are recomputed or stay, so that a
step takes no more than its budget. All that libvdnn refuses is a vdnn.Error with its message.
"""
from vdnn.from_torch import from_torch
from vdnn.library import Error, version
from vdnn.model import Model
from vdnn.report import Report, report
from vdnn.session import Session

__all__ = ["Error", "Model", "Report", "Session", "from_torch", "report", "version"]
__version__ = version()
