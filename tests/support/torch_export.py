"""Exports networks from PyTorch by the `export` of a peer script, many in one process, and keeps more of it.

    torch_export.py PEER STEPS DIR...     DIR/torch.yaml is the network, its batch included

Beside what PEER writes into a DIR (weights, images, labels, losses, the exact gradients of the first
step), these are written, as safetensors:

    last.safetensors           parameters and statistics after the last step, computed in float64
    last_float32.safetensors   the same in float32: how far off that is tells what can be asked
    gradients_float32.safetensors
"""
import runpy
import sys

import torch


class Recorder:
    """Sees the two networks of an export, float32 first, by what the peer calls on them."""

    def __init__(self):
        self.networks, self.gradients = [], None
        self.state_dict, self.step = torch.nn.Module.state_dict, torch.optim.SGD.step

    def __enter__(self):
        recorder = self

        def state_dict(module, *args, **kwargs):
            if not args and not kwargs and module not in recorder.networks:
                recorder.networks.append(module)
            return recorder.state_dict(module, *args, **kwargs)

        def double(module):
            recorder.networks.append(module)
            return module._apply(lambda t: t.double() if t.is_floating_point() else t)

        def step(optimizer, closure=None):
            if recorder.gradients is None:
                parameters = optimizer.param_groups[0]["params"]
                recorder.gradients = [p.grad.numpy().copy() for p in parameters]
            return recorder.step(optimizer, closure)

        self.double = torch.nn.Module.double
        torch.nn.Module.state_dict, torch.nn.Module.double, torch.optim.SGD.step = state_dict, double, step
        return self

    def __exit__(self, *_):
        torch.nn.Module.state_dict, torch.nn.Module.double = self.state_dict, self.double
        torch.optim.SGD.step = self.step


def floats(network):
    return {k: v.numpy() for k, v in network.state_dict().items() if v.is_floating_point()}


def export(peer, steps, folder):
    sys.argv = [peer, "export", folder + "/torch.yaml", folder, "--steps", steps, "--threads", "1"]
    with Recorder() as recorder:
        save = runpy.run_path(peer, run_name="__main__")["save_safetensors"]
    single, exact = recorder.networks
    names = [name for name, _ in single.named_parameters()]
    save(folder + "/gradients_float32.safetensors", dict(zip(names, recorder.gradients)))
    save(folder + "/last_float32.safetensors", floats(single))
    save(folder + "/last.safetensors", floats(exact))


peer, steps, *folders = sys.argv[1:]
for folder in folders:
    export(peer, steps, folder)
