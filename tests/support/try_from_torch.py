"""What test_python.c holds of vdnn.from_torch: networks of each kind train as in PyTorch; what has no layer is refused.

Ends with 77 where there is no PyTorch or NumPy.
"""
import importlib.util
import random
import sys
import tempfile

try:
    import numpy
    import torch
    from torch import nn
    from torch.nn import functional as F
except ModuleNotFoundError:
    sys.exit(77)
sys.path.insert(0, "tools/python")
import vdnn  # noqa: E402
from vdnn import torch_trace  # noqa: E402

BATCH, CLASSES, STEPS, RATE = 8, 5, 5, 0.02


class Plain(nn.Module):
    """As VGG and AlexNet: rows of layers, a pool to a fixed size, dropout that is off."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, padding="same", bias=False),
                                      nn.BatchNorm2d(8, eps=1e-3, momentum=0.2), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.LocalResponseNorm(3),
                                      nn.Conv2d(8, 8, (3, 1), padding=(1, 0), groups=2), nn.Identity(), nn.ReLU())
        self.avgpool = nn.AdaptiveAvgPool2d((4, 4))
        self.classifier = nn.Sequential(nn.Flatten(), nn.Dropout(0), nn.Linear(128, 16), nn.BatchNorm1d(16), nn.ReLU(),
                                        nn.Linear(16, CLASSES, bias=False))

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)))


class Curves(nn.Module):
    """Activations and norms as modules and functions, some in place, and a gate."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.GroupNorm(4, 8), nn.SiLU(inplace=True),
                                      nn.Conv2d(8, 8, 3, padding=1), nn.InstanceNorm2d(8, affine=True), nn.Hardswish(),
                                      nn.Conv2d(8, 8, 3, padding=1), nn.InstanceNorm2d(8), nn.LeakyReLU(0.2))
        self.gate = nn.Conv2d(8, 8, 1)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(128, 16), nn.LayerNorm(16), nn.GELU(approximate="tanh"),
                                  nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 16), nn.ReLU6(), nn.Linear(16, CLASSES))

    def forward(self, x):
        x = F.max_pool2d(self.features(x), 2)
        x = F.gelu(x) * torch.sigmoid(0.7 * self.gate(x))
        return self.head(F.silu(x * 2))


class Block(nn.Module):
    def __init__(self, before, after, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(after)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(after)
        self.relu = nn.ReLU(inplace=True)  # called twice
        self.downsample = nn.Sequential(nn.Conv2d(before, after, 1, stride)) if stride != 1 else None

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        out += identity
        return self.relu(out)


class Residual(nn.Module):
    """As ResNet: sums in place, a module called twice, the mean as a method."""

    def __init__(self):
        super().__init__()
        self.layer1 = nn.Sequential(Block(3, 3, 1), Block(3, 6, 2))
        self.fc = nn.Linear(6, CLASSES)
        self.unused = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(self.layer1(x).mean([-2, -1]))


class Joined(nn.Module):
    """As GoogLeNet, DenseNet and SqueezeNet: branches side by side, pools that overlap, a mean at the end."""

    def __init__(self):
        super().__init__()
        self.branch1 = nn.Conv2d(3, 4, 1)
        self.branch2 = nn.ModuleList([nn.Conv2d(3, 2, 1), nn.Conv2d(2, 4, 5, padding=2)])
        self.norm = nn.BatchNorm2d(11)
        self.last = nn.Conv2d(11, CLASSES, 1)

    def forward(self, x):
        second = F.relu(self.branch2[1](F.relu(self.branch2[0](x), inplace=True)))
        pooled = F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)
        x = torch.cat([F.relu(self.branch1(x)), second, pooled], 1)
        x = F.max_pool2d(F.relu(self.norm(x)), 3, stride=2, ceil_mode=True)
        return torch.flatten(F.adaptive_avg_pool2d(self.last(F.dropout(x, 0.3, training=False)), 1), 1)


class Functional(nn.Module):
    """As PyTorch's first examples: functions and views; a layer used twice, values written in place, softmax at the end."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, padding=1, bias=False)
        self.fc = nn.Linear(48, CLASSES)

    def forward(self, x):
        x = self.conv(x)
        positive = x.relu_()  # x is that now too
        x = self.conv(x + positive)
        self.conv(x)  # no one reads it
        x = F.avg_pool2d(x, 2)
        return F.log_softmax(self.fc(x.view(x.size(0), -1)), dim=1)


class Volumes(nn.Module):
    """As a small U-Net of volumes: strided, transposed and pooled, functions too."""
    SIDES = (6, 8, 5)

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv3d(3, 4, 3, padding="same"), nn.InstanceNorm3d(4, affine=True), nn.LeakyReLU())
        self.down = nn.Sequential(nn.MaxPool3d(2), nn.Conv3d(4, 6, (1, 3, 3), stride=(1, 2, 1), padding=(0, 1, 1)),
                                  nn.BatchNorm3d(6), nn.ReLU())
        self.up = nn.ConvTranspose3d(6, 4, (2, 4, 3), stride=(2, 4, 2), output_padding=(0, 0, 0), groups=2)
        self.wide = nn.Upsample(scale_factor=(1, 2, 3), mode="trilinear")
        self.pool = nn.AvgPool3d(3, 2, 1, count_include_pad=False)
        self.head = nn.Sequential(nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(8, CLASSES))

    def forward(self, x):
        x = self.first(x)
        x = torch.cat([x, self.up(self.down(x))], 1)
        return self.head(F.max_pool3d(self.pool(self.wide(x)), 2, ceil_mode=True))


class Larger(nn.Module):
    """Pictures made larger again."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 6, 3, stride=2, padding=1), nn.ReLU(), nn.Upsample(scale_factor=2),
                                    nn.ConvTranspose2d(6, 4, 3, 2, 1, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU(),
                                    nn.AvgPool2d(4), nn.Flatten(), nn.Linear(64, CLASSES))

    def forward(self, x):
        return self.layers(x + F.interpolate(F.avg_pool2d(x, 2), x.shape[2:], mode="bilinear"))


class Adapted(nn.Module):
    """Layers that stay as they are, with low-rank adaptation by hand."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.fc, self.lora_A, self.lora_B = nn.Linear(32, CLASSES), nn.Linear(32, 2, False), nn.Linear(2, CLASSES, False)
        for one in (self.conv, self.norm, self.fc):
            one.requires_grad_(False)
        self.norm.running_mean.uniform_(-0.1, 0.1)

    def train(self, mode=True):
        super().train(mode)
        self.norm.eval()
        return self

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 4).flatten(1)
        return self.fc(x) + 2 * self.lora_B(self.lora_A(x))


class Pictures(nn.Module):
    """A value for each pixel: what a loss over numbers reads."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Conv2d(3, 5, 3, padding=1), nn.Conv2d(5, 2, 3, padding=1)

    def forward(self, x):
        return self.last(F.relu(self.first(x)))


def losses_over_numbers():
    """The largest difference of the losses over some steps, relative, of both."""
    worst = 0
    for name, reference in (("mse", F.mse_loss), ("bce", F.binary_cross_entropy_with_logits)):
        module = Pictures()
        optimizer = torch.optim.SGD(module.parameters(), lr=RATE, momentum=0.9)
        model = vdnn.from_torch(module, torch.zeros(BATCH, 3, 8, 8), training={"lr": RATE, "momentum": 0.9}, loss=name)
        with vdnn.Session(model, threads=1, policy="base") as session:
            for _ in range(STEPS):
                x, y = torch.randn(BATCH, 3, 8, 8), torch.rand(BATCH, 2, 8, 8)
                optimizer.zero_grad()
                loss = reference(module(x), y)
                loss.backward()
                optimizer.step()
                worst = max(worst, abs(session.step(x, y) - loss.item()) / loss.item())
    return worst


def difference(module):
    """The largest of the losses over some steps, relative."""
    sides, worst = getattr(module, "SIDES", (8, 8)), 0
    optimizer = torch.optim.SGD([one for one in module.parameters() if one.requires_grad], lr=RATE, momentum=0.9)
    module.train()
    model = vdnn.from_torch(module, torch.zeros(BATCH, 3, *sides), training={"lr": RATE, "momentum": 0.9})
    with vdnn.Session(model, budget="64MiB", threads=1, policy="base", predictions=True, gradients=True) as session:
        for _ in range(STEPS):
            y = torch.randint(0, CLASSES, (BATCH,))
            x = torch.randn(BATCH, 3, *sides) + y.view(-1, 1, *(1 for _ in sides))
            optimizer.zero_grad()
            loss = F.cross_entropy(module(x), y)
            loss.backward()
            optimizer.step()
            worst = max(worst, abs(session.step(x, y) - loss.item()) / loss.item())
        gradients = session.gradients()
        for name, one in module.named_parameters():
            assert one.grad is None or numpy.allclose(gradients[name], one.grad.numpy(), rtol=1e-3, atol=1e-4), name
        scores = session.predict(x, logits=True)
        values = {name: torch.from_numpy(value) for name, value in session.state_dict().items()}
    expected = module.state_dict()
    for name, value in values.items():
        assert torch.allclose(value, expected[name], rtol=1e-3, atol=1e-4), name
    module.load_state_dict({**expected, **values})
    with torch.no_grad():
        expected = F.log_softmax(module.eval()(x), 1)
    assert numpy.allclose(F.log_softmax(torch.from_numpy(scores), 1), expected, rtol=1e-3, atol=1e-4)
    return worst


class Shaped(nn.Module):
    """What torch.fx cannot follow: a branch over a size, a loop over values."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.act = nn.ReLU(inplace=True)
        self.tied = nn.Conv2d(3, 3, 3, padding=1, bias=False)
        self.tied.weight = self.conv.weight
        self.fc = nn.Linear(12, CLASSES)

    def forward(self, x):
        if x.shape[0] > 1:
            x = self.act(self.norm(self.conv(x)))
        while x.shape[-1] > 2:
            x = F.max_pool2d(self.tied(x), 2)
        return self.fc(F.dropout(x, 0.0, self.training).view(x.size(0), -1))


def only(*layers):
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, CLASSES))


class Call(nn.Module):
    def __init__(self, function, inputs=192):
        super().__init__()
        self.function, self.inner = function, nn.Linear(inputs, CLASSES)

    def forward(self, x):
        return self.inner(self.function(x).flatten(1))


def shared_bias():
    module = nn.Sequential(nn.Flatten(), nn.Linear(192, 192), nn.Linear(192, 192), nn.Linear(192, CLASSES))
    module[2].bias = module[1].bias
    return module


def frozen():
    module = only(nn.Conv2d(3, 3, 1))
    module[0].weight.requires_grad_(False)
    return module


def still():
    module = only(nn.BatchNorm2d(3))
    module[0].requires_grad_(False)
    return module


def half_evaluated():
    module = only(nn.BatchNorm2d(3))
    module[0].eval()
    return module


def hooked():
    module = only(nn.Conv2d(3, 3, 1))
    module[0].register_forward_hook(lambda *_: None)
    return module


def random_module(random):
    """A row of layers that the pictures still fit in, with each setting that ONNX writes down."""
    layers, channels, side = [], 3, 8
    for _ in range(4):
        groups, kernel, stride, dilation = random.choice((1, channels)), random.choice((1, 3)), random.choice((1, 2)), 1
        if kernel == 3 and side > 4:
            dilation = random.choice((1, 2))
        after = groups * random.choice((1, 2)) if groups > 1 else random.choice((2, 4))
        layers.append(nn.Conv2d(channels, after, kernel, stride, dilation * (kernel // 2), dilation, groups,
                                bias=random.random() < 0.5))
        channels, side = after, (side + stride - 1) // stride
        layers += random.sample([nn.BatchNorm2d(channels), nn.ReLU()], 2)
        if side > 2:
            layers.append(random.choice((nn.MaxPool2d(3, 1, 1), nn.AvgPool2d(3, 1, 1), nn.Identity(),
                                         nn.AvgPool2d(3, 1, 1, count_include_pad=False))))
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, CLASSES))


def transposed():
    return nn.Sequential(nn.Conv2d(3, 6, 3, 2, 1), nn.ReLU(), nn.ConvTranspose2d(6, 4, 3, 2, 1, 1, groups=2), nn.ReLU(),
                         nn.ConvTranspose2d(4, 3, (2, 3), (2, 1), (0, 1), bias=False, dilation=(1, 2)),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, CLASSES))


def padded_volumes():
    """The exporter knows no padding by a word."""
    module = Volumes()
    module.first[0].padding = (1, 1, 1)
    return module


def gradient_difference(module):
    """How far the first gradients by way of an ONNX file are from PyTorch's, relative to the largest of all: those of
    a bias before a batch norm are rounding alone."""
    x, y = torch.randn(BATCH, 3, *getattr(module, "SIDES", (8, 8))), torch.randint(0, CLASSES, (BATCH,))
    with tempfile.TemporaryDirectory() as folder:
        torch.onnx.export(module, x, f"{folder}/net.onnx", training=torch.onnx.TrainingMode.TRAINING,
                          do_constant_folding=False)
        with vdnn.Session(f"{folder}/net.onnx", budget="64MiB", threads=1, policy="base", gradients=True) as session:
            session.step(x, y)
            gradients = session.gradients()
    F.cross_entropy(module.train()(x), y).backward()
    expected = {name: one.grad.numpy() for name, one in module.named_parameters() if one.grad is not None}
    assert gradients.keys() == expected.keys(), (gradients.keys(), expected.keys())
    largest = max(numpy.abs(one).max() for one in expected.values())
    return max(float(numpy.abs(gradients[name] - one).max() / largest) for name, one in expected.items())


# A module, and what the message has of place, operator and need.
REFUSED = [
    (lambda: only(nn.Sequential(nn.ELU())), ["0.0: ELU", "needed"]),
    (lambda: only(nn.LeakyReLU(-1)), ["0: LeakyReLU", "expected 0 or more"]),
    (lambda: only(nn.LayerNorm(8)), ["0: LayerNorm", "(batch, features)"]),
    (lambda: only(nn.InstanceNorm2d(3, track_running_stats=True)), ["0: InstanceNorm2d", "running statistics"]),
    (lambda: only(nn.Upsample(scale_factor=1.5)), ["0: Upsample", "whole numbers"]),
    (lambda: only(nn.Conv2d(3, 3, 3, padding=1, padding_mode="reflect")), ["0: Conv2d", "'zeros'"]),
    (lambda: only(nn.Conv2d(3, 3, (1, 2), padding="same")), ["0: Conv2d", "both sides"]),
    (lambda: only(nn.MaxPool2d(2, dilation=2)), ["0: MaxPool2d", "dilation"]),
    (lambda: only(nn.BatchNorm2d(3, affine=False)), ["0: BatchNorm2d", "affine"]),
    (lambda: only(nn.AdaptiveAvgPool2d(3)), ["0: AdaptiveAvgPool2d", "divides"]),
    (lambda: nn.Sequential(nn.Linear(8, CLASSES)), ["0: Linear", "flatten"]),
    (lambda: nn.Sequential(nn.Conv2d(3, CLASSES, 8)), ["output", "(batch, classes)"]),
    (lambda: nn.Sequential(Call(torch.erf)), ["0: erf", "needed"]),
    (lambda: Call(lambda x: x + 1), ["the module itself: add", "two values"]),
    (lambda: Call(lambda x: x * F.adaptive_avg_pool2d(x, 1)), ["mul", "two values of one shape"]),
    (lambda: Call(lambda x: x / x), ["div", "needed"]),
    (lambda: Call(lambda x: x.chunk(3, 1)[0], 64), ["chunk", "several values"]),
    (lambda: Call(lambda x: x if x.sum() > 0 else -x), ["cannot be traced", "depend on values"]),
    (lambda: Call(lambda x: torch.cat([x, x], 2), 384), ["cat", "channels"]),
    (lambda: Call(lambda x: F.log_softmax(x, 1)), ["log_softmax", "at the end"]),
    (lambda: nn.Sequential(nn.Flatten(), nn.Linear(10, 2)), ["cannot be traced", "fitting example"]),
    (shared_bias, ["2: Linear", "bias"]), (frozen, ["0: Conv2d", "or none"]), (still, ["0: BatchNorm2d", "module.eval()"]), (hooked, ["0: Conv2d", "hooks"]),
    (half_evaluated, ["0: BatchNorm2d", "evaluation"])]


def refusal(make):
    module, example = make(), torch.zeros(2, 3, 8, 8)
    modes = [one.training for one in module.modules()]
    try:
        vdnn.from_torch(module, example)
    except vdnn.Error as error:
        assert [one.training for one in module.modules()] == modes
        return f"{error.status} {error}"
    return "nothing"


torch.manual_seed(3)
torch.set_num_threads(1)
failed = 0
kinds = [(kind, torch_trace.TRACERS) for kind in (Plain, Curves, Residual, Joined, Functional, Volumes, Larger, Adapted)]
if hasattr(torch, "export"):
    kinds += [(Shaped, torch_trace.TRACERS)]
    kinds += [(kind, [torch_trace.by_export]) for kind in (Residual, Joined, Functional, Volumes, Larger)]
for kind, torch_trace.TRACERS in kinds:
    worst = difference(kind())
    if not worst < 1e-4:
        failed += 1
        print(f"{kind.__name__}: losses differ by {worst}")
torch_trace.TRACERS = [torch_trace.by_fx, torch_trace.by_export]
worst = losses_over_numbers()
if not worst < 1e-4:
    failed += 1
    print(f"losses over numbers differ by {worst}")
chosen = random.Random(11)
has_exporter = torch.__version__.startswith("1.") or importlib.util.find_spec("onnx")
for module in [] if not has_exporter else [Residual(), Joined(), padded_volumes(), Larger(), transposed(), *(random_module(chosen) for _ in range(6))]:
    worst = gradient_difference(module)
    if not worst < 1e-4:
        failed += 1
        print(f"{module}: gradients differ by {worst} by ONNX")
for make, parts in REFUSED:
    text = refusal(make)
    if not (text.startswith("BAD_INPUT") and all(part in text for part in parts)):
        failed += 1
        print(f"expected {parts}: {text}")
sys.exit(min(failed, 70))
