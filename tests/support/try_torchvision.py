"""Losses of torchvision's networks by vdnn.from_torch and by PyTorch, from the same weights on the same batches.

    python3 tests/support/try_torchvision.py [NAME...]      77: there is no torchvision

Five steps of each, in double as in float: what PyTorch's own floats are away from its doubles is what any order of sums
may be: a network passes that is within 1e-4 of the doubles, or as near to them as PyTorch's floats are. Heads that only
training has are off, and so is dropout, whose random numbers are another program's.
"""
import sys

try:
    import torch
    import torchvision
    from torch.nn import functional as F
except ModuleNotFoundError:
    sys.exit(77)
sys.path.insert(0, "tools/python")
import vdnn  # noqa: E402

CLASSES, STEPS = 10, 5
NETWORKS = {  # the side of a picture, the batch, further arguments
    "vgg16": (224, 2, {}),
    "resnet50": (64, 16, {"zero_init_residual": True}),
    "googlenet": (64, 16, {"aux_logits": False, "init_weights": False}),
    "densenet121": (64, 16, {}),
    "squeezenet1_1": (64, 8, {}),
}


def make(name):
    torch.manual_seed(7)
    module = getattr(torchvision.models, name)(weights=None, num_classes=CLASSES, **NETWORKS[name][2])
    for one in module.modules():
        if isinstance(one, torch.nn.Dropout):
            one.p = 0.0
    return module


def train(module, batches, rate, kind):
    optimizer = torch.optim.SGD(module.to(kind).parameters(), lr=rate, momentum=0.9)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(module(x.to(kind)), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def farthest(losses, expected):
    return max(abs(one - other) / abs(other) for one, other in zip(losses, expected))


def check(name):
    side, batch, _ = NETWORKS[name]
    rate = 0.0001
    generator = torch.Generator().manual_seed(5)
    batches = [(torch.randn(batch, 3, side, side, generator=generator),
                torch.randint(0, CLASSES, (batch,), generator=generator)) for _ in range(STEPS)]
    model = vdnn.from_torch(make(name), batches[0][0], training={"lr": rate, "momentum": 0.9})
    with vdnn.Session(model, budget="3GiB", policy="base", algo="m") as session:
        ours = [session.step(x, y) for x, y in batches]
    floats, doubles = (train(make(name), batches, rate, kind) for kind in (torch.float32, torch.float64))
    away, own = farthest(ours, doubles), farthest(floats, doubles)
    print(f"{name:14} {side}x{side}, batch {batch}: losses {ours[0]:.5f} to {ours[-1]:.5f}; from doubles: vdnn "
          f"{away:.1e}, PyTorch's floats {own:.1e}; vdnn from those {farthest(ours, floats):.1e}", flush=True)
    return away < max(1e-4, own)


failed = [name for name in sys.argv[1:] or NETWORKS if not check(name)]
if failed:
    print("farther from PyTorch than it is from its doubles:", ", ".join(failed))
sys.exit(len(failed))
