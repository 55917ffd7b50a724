#!/usr/bin/python3
"""Trains the networks of models/ with PyTorch, to compare with: its losses and gradients, or its speed.

    torch_driver.py export [--steps N] [--batch N] [--accumulate N] MODEL DIR [MODEL DIR]...   what PyTorch makes of each MODEL, into DIR
    torch_driver.py rules [--steps N] DIR NAME TRAINING [NAME TRAINING]...   what each optimizer makes of random gradients
    torch_driver.py compare DIR RUN.json [--rtol X]    the losses of a run on an exported DIR; fails where they differ
    torch_driver.py speed MODEL [--batch N] [--device cpu|cuda] [--dtype f32|tf32|bf16] [--format nchw|nhwc]
                    [--mode plain|cheap|checkpoint|save_on_cpu] [--cap-gib X] [--steps N]

`export` trains twice from the same weights on the same images, in float32 and in float64, and writes

    init.safetensors, images.npy, labels.npy     (or tokens.npy for images.npy; of inputs that have names NAME.npy)
                                                 for vdnnrun --init DIR/init.safetensors --data npy:DIR --no-shuffle
    losses.json                                  of every step: losses (float32), losses_float64, and the largest
                                                 relative difference of the two, worst_relative_float32
    gradients.safetensors, last.safetensors      of the first step; all parameters after the last (float64)
    gradients_float32.safetensors, last_float32.safetensors

`rules` takes lines of `training:` as in a network file, and writes DIR/NAME.safetensors: init, gradients (of each step), and
last after the last of them, by torch.optim in float32.

How far PyTorch's own float32 is from its float64 says what can be asked of anyone. Each command prints one JSON object
(`export` one for each network). Requires torch, numpy and PyYAML (Debian: python3-torch python3-numpy python3-yaml).
"""
import argparse
import json
import os
import resource
import statistics
import struct
import sys
import time

import numpy as np
import yaml

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

IMPORTED_BYTES = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
SEED = 20160401
UNTIMED_STEPS = 2
RULE_COUNT = 1000
IGNORED_SHARE = 0.2  # of the labels of positions
CHEAP = {"relu", "batchnorm", "lrn", "maxpool", "avgpool", "add", "concat", "gelu", "silu", "tanh", "sigmoid", "relu6",
         "leaky_relu", "hardswish", "scale", "mul", "layernorm", "rmsnorm", "groupnorm", "instancenorm"}  # little to compute again
FUSED = getattr(nn.functional, "scaled_dot_product_attention", None)  # from PyTorch 2.0 on
KEEPS_OUTPUT = {"tanh", "sigmoid"}  # whose backward reads it: what comes next must not overwrite it


# ---- networks --------------------------------------------------------------------------------------------------------


def pair(value):
    return tuple(value) if isinstance(value, list) else (value, value)


def sides(value, shapes):
    """A number for each side of the cells of a picture or volume."""
    return tuple(value) if isinstance(value, list) else (value,) * (len(shapes[0]) - 2)


def of_sides(name, shapes):
    """The class of torch.nn of that name for pictures or volumes: Conv2d, Conv3d."""
    return getattr(nn, f"{name}{len(shapes[0]) - 2}d")


def flat_layers(entries):
    """The layers of a network file in order, `repeat` written out."""
    for entry in entries:
        if "repeat" not in entry:
            yield dict(entry)
            continue
        for number in range(1, entry["repeat"]["count"] + 1):
            text = json.dumps(entry["repeat"]["layers"]).replace("{i}", str(number)).replace("{i-1}", str(number - 1))
            yield from flat_layers(json.loads(text))


class Row(nn.Conv2d):
    """Of a picture one cell wide, with a kernel that is so, too: by PyTorch's convolution in one dimension."""

    def forward(self, image):
        return nn.functional.conv1d(image.squeeze(3), self.weight.squeeze(3), self.bias, self.stride[0], self.padding[0],
                                    self.dilation[0], self.groups).unsqueeze(3)


def make_conv(keys, shapes, _):
    kernel, stride, pad, dilation = (sides(keys.get(key, preset), shapes) for key, preset in (
        ("kernel", None), ("stride", 1), ("pad", 0), ("dilation", 1)))
    is_row = len(shapes[0]) == 4 and shapes[0][3] == 1 and kernel[1] == 1 and pad[1] == 0
    kind = Row if is_row else of_sides("Conv", shapes)
    return kind(shapes[0][1], keys["out"], kernel, stride, pad, dilation, keys.get("groups", 1),
                keys.get("bias", True))


def make_conv_transpose(keys, shapes, _):
    kernel, stride, pad, output_pad, dilation = (sides(keys.get(key, preset), shapes) for key, preset in (
        ("kernel", None), ("stride", 1), ("pad", 0), ("output_pad", 0), ("dilation", 1)))
    return of_sides("ConvTranspose", shapes)(shapes[0][1], keys["out"], kernel, stride, pad, output_pad,
                                             keys.get("groups", 1), keys.get("bias", True), dilation)


def make_fc(keys, shapes, _):
    if is_sequence(shapes[0]):
        return nn.Linear(shapes[0][-1], keys["out"], keys.get("bias", True))
    return nn.Sequential(nn.Flatten(), nn.Linear(int(np.prod(shapes[0][1:])), keys["out"], keys.get("bias", True)))


def window(keys, shapes):
    kernel = sides(keys["kernel"], shapes)
    return dict(kernel_size=kernel, stride=sides(keys.get("stride", list(kernel)), shapes),
                padding=sides(keys.get("pad", 0), shapes), ceil_mode=keys.get("ceil", False))


def make_upsample(keys, shapes, _):
    mode = keys.get("mode", "nearest")
    mode = "trilinear" if mode == "bilinear" and len(shapes[0]) == 5 else mode
    return nn.Upsample(scale_factor=tuple(map(float, sides(keys.get("scale", 2), shapes))), mode=mode)


class Sum(nn.Module):
    def forward(self, *maps):
        total = maps[0]
        for each in maps[1:]:
            total = total + each
        return total


class Product(nn.Module):
    def forward(self, *maps):
        product = maps[0]
        for each in maps[1:]:
            product = product * each
        return product


class Scale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, image):
        return self.factor * image


class Concatenation(nn.Module):
    def forward(self, *maps):
        return torch.cat(maps, 2 if is_sequence(maps[0].shape) else 1)


class MeanOfPositions(nn.Module):
    def forward(self, sequence):
        return sequence.mean(1)


class Attention(nn.Module):
    """Of one input with the heads of q, k and v, or of one each; then, if there are any, the lengths."""

    def __init__(self, keys):
        super().__init__()
        self.heads, self.causal = keys["heads"], keys.get("causal", False)
        self.kv_heads = keys.get("kv_heads", self.heads)

    def split(self, maps):
        if len(maps) >= 3:
            return maps[:3]
        width = maps[0].shape[-1] // (self.heads + 2 * self.kv_heads)
        return maps[0].split([self.heads * width, self.kv_heads * width, self.kv_heads * width], -1)

    def forward(self, *maps):
        group = self.heads // self.kv_heads
        q, k, v = (part.unflatten(-1, (heads, -1)).transpose(1, 2)
                   for part, heads in zip(self.split(maps), (self.heads, self.kv_heads, self.kv_heads)))
        k, v = (part.repeat_interleave(group, 1) for part in (k, v))
        if FUSED is not None and len(maps) % 2 == 1:
            return FUSED(q, k, v, is_causal=self.causal).transpose(1, 2).flatten(2)
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if self.causal:
            scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -torch.inf)
        if len(maps) % 2 == 1:
            return (torch.softmax(scores, -1) @ v).transpose(1, 2).flatten(2)
        lengths = maps[-1].flatten()[:, None]
        counts = torch.arange(scores.shape[-1]) < lengths
        scores = scores.masked_fill(~counts[:, None, None], -1e30)
        rows = (torch.softmax(scores, -1) @ v).transpose(1, 2).flatten(2)
        return rows * (counts if len(maps) == 2 else lengths > 0)[..., None]


class AdditiveAttention(nn.Module):
    """Of q, k and v, and lengths if there are any, with a normalized weight."""

    def __init__(self, width):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.randn(width)), nn.Parameter(torch.randn(width) * 0.1)
        self.scale = nn.Parameter(torch.tensor([2.0]))

    def forward(self, q, k, v, lengths=None):
        direction = self.scale * self.weight / self.weight.norm()
        scores = torch.tanh(q[:, :, None] + k[:, None] + self.bias) @ direction
        if lengths is None:
            return torch.softmax(scores, -1) @ v
        counts = torch.arange(k.shape[1]) < lengths
        rows = torch.softmax(scores.masked_fill(~counts[:, None], -1e30), -1) @ v
        return rows * (lengths > 0)[:, None]


class Memory(nn.LSTM):
    """The outputs of a long short-term memory, with its parameters as weight files have them."""

    def __init__(self, keys, width):
        self.biases, self.reverse = keys.get("biases", 2), keys.get("reverse", False)
        super().__init__(width, keys["out"], bias=self.biases > 0, batch_first=True,
                         proj_size=keys.get("projection", 0))
        if self.biases == 1:
            self.bias_hh_l0.data.zero_()
            self.bias_hh_l0.requires_grad = False

    def forward(self, sequence, lengths=None):
        if lengths is None and not self.reverse:
            return super().forward(sequence)[0]
        positions = torch.arange(sequence.shape[1]).expand(sequence.shape[:2])
        lengths = torch.full((len(sequence), 1), sequence.shape[1]) if lengths is None else lengths
        order = (lengths - 1 - positions).clamp(min=0) if self.reverse else positions

        def turned(rows):
            return rows.gather(1, order.unsqueeze(2).expand(-1, -1, rows.shape[2]))

        outputs = turned(super().forward(turned(sequence))[0])
        return outputs * (positions < lengths).unsqueeze(2).to(outputs.dtype)

    def named_parameters(self, *args, **kwargs):
        for name, tensor in super().named_parameters(*args, **kwargs):
            if tensor.requires_grad:
                yield name.replace("_l0", ""), tensor


class LayerNorm(nn.Module):
    """nn.LayerNorm, which has no `bias` before PyTorch 2.1."""
    def __init__(self, width, eps, bias):
        super().__init__()
        self.eps, self.weight = eps, nn.Parameter(torch.ones(width))
        self.register_parameter("bias", nn.Parameter(torch.zeros(width)) if bias else None)

    def forward(self, rows):
        return nn.functional.layer_norm(rows, self.weight.shape, self.weight, self.bias, self.eps)


class RmsNorm(nn.Module):
    """nn.RMSNorm, which there is from PyTorch 2.4 on."""
    def __init__(self, width, eps):
        super().__init__()
        self.eps, self.weight = eps, nn.Parameter(torch.ones(width))

    def forward(self, rows):
        return rows * torch.rsqrt((rows * rows).mean(-1, keepdim=True) + self.eps) * self.weight


NORMS = (nn.BatchNorm2d, nn.BatchNorm3d, nn.GroupNorm, nn.InstanceNorm2d, nn.InstanceNorm3d, LayerNorm, RmsNorm)


class Vectors(nn.Module):
    """Learned vectors, added to those of the positions or put before them."""

    def __init__(self, keys, shape):
        super().__init__()
        self.before = keys.get("join", "add") == "before"
        self.weight = nn.Parameter(torch.randn(keys.get("length", 0) or shape[1], shape[2]) * 0.02)

    def forward(self, sequence):
        if self.before:
            return torch.cat([self.weight.expand(len(sequence), -1, -1), sequence], 1)
        return sequence + self.weight[:sequence.shape[1]]


class Rotation(nn.Module):
    """By the rotary embedding of Llama, or with neighbours as pairs."""

    def __init__(self, keys, shape):
        super().__init__()
        kv_heads = keys.get("kv_heads", 0)
        self.heads, self.rotated = keys["heads"] + 2 * kv_heads, keys["heads"] + kv_heads
        self.interleaved = keys.get("interleaved", False)
        width = shape[2] // self.heads
        steps = keys.get("theta", 10000.0) ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
        self.angles = torch.outer(torch.arange(shape[1], dtype=torch.float64), steps)

    def forward(self, sequence):
        vectors = sequence.unflatten(-1, (self.heads, -1))
        turned, kept = vectors[..., :self.rotated, :], vectors[..., self.rotated:, :]
        cos, sin = (table.to(sequence.dtype).unsqueeze(1) for table in (self.angles.cos(), self.angles.sin()))
        if self.interleaved:
            a, b = turned[..., 0::2], turned[..., 1::2]
            turned = torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)
        else:
            a, b = turned.chunk(2, -1)
            turned = torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
        return torch.cat([turned, kept], -2).flatten(-2)


class Adapted(nn.Module):
    """A layer whose weight stays, and what its low-rank adaptation adds."""

    def __init__(self, keys, shapes):
        super().__init__()
        make, rank = MAKERS[keys["type"]], keys["lora"]["rank"]
        plain = {key: value for key, value in keys.items() if key not in ("lora", "bias")}
        self.base = make({**keys}, shapes, False).requires_grad_(False)
        self.lora_A = make({**plain, "out": rank, "bias": False}, shapes, False)
        between = self.lora_A(torch.zeros(shapes[0])).shape
        last = {"out": keys["out"], "groups": keys.get("groups", 1), "kernel": 1, "bias": False}
        self.lora_B = make(last, [tuple(between)], False)
        self.factor = keys["lora"]["alpha"] / rank

    def forward(self, x):
        return self.base(x) + self.factor * self.lora_B(self.lora_A(x))


class Positions(nn.Module):
    """Some of a sequence."""

    def __init__(self, keys):
        super().__init__()
        self.begin, self.count = keys.get("begin", 0), keys["count"]

    def forward(self, sequence):
        return sequence[:, self.begin:self.begin + self.count]


class Cells(nn.Module):
    """Of a picture, as positions."""

    def forward(self, picture):
        return picture.flatten(2).transpose(1, 2)


def is_sequence(shape):
    return len(shape) == 3


def inputs_of(spec):
    """What the network reads of a sample, by name."""
    return spec["inputs"] if "inputs" in spec else {"input": spec["input"]}


def inner(module):
    """The module that has the parameters."""
    return module[1] if isinstance(module, nn.Sequential) else module


# type: what makes its module of its keys, the shapes of its inputs, and whether it may overwrite its input
MAKERS = {
    "conv": make_conv,
    "conv_transpose": make_conv_transpose,
    "fc": make_fc,
    "linear": make_fc,
    "relu": lambda keys, shapes, overwrites: nn.ReLU(inplace=overwrites),
    "gelu": lambda keys, shapes, _: nn.GELU(keys.get("approximate", "none")),
    "silu": lambda keys, shapes, _: nn.SiLU(),
    "tanh": lambda keys, shapes, _: nn.Tanh(),
    "sigmoid": lambda keys, shapes, _: nn.Sigmoid(),
    "relu6": lambda keys, shapes, _: nn.ReLU6(),
    "leaky_relu": lambda keys, shapes, _: nn.LeakyReLU(keys.get("slope", 0.01)),
    "hardswish": lambda keys, shapes, _: nn.Hardswish(),
    "scale": lambda keys, shapes, _: Scale(keys["factor"]),
    "dropout": lambda keys, shapes, _: nn.Dropout(keys.get("p", 0.5)),
    "maxpool": lambda keys, shapes, _: of_sides("MaxPool", shapes)(**window(keys, shapes)),
    "upsample": make_upsample,
    "avgpool": lambda keys, shapes, _: of_sides("AvgPool", shapes)(**window(keys, shapes),
                                                                   count_include_pad=keys.get("count_pad", True)),
    "global_avgpool": lambda keys, shapes, _: (MeanOfPositions() if is_sequence(shapes[0]) else
                                               of_sides("AdaptiveAvgPool", shapes)(1)),
    "embedding": lambda keys, shapes, _: nn.Embedding(keys["vocabulary"], keys["out"]),
    "lstm": lambda keys, shapes, _: Memory(keys, shapes[0][-1]),
    "lrn": lambda keys, shapes, _: nn.LocalResponseNorm(keys["size"], **{k: keys[k] for k in ("alpha", "beta", "k")
                                                                         if k in keys}),
    "batchnorm": lambda keys, shapes, _: of_sides("BatchNorm", shapes)(shapes[0][1], keys.get("eps", 1e-5),
                                                                       keys.get("momentum", 0.1)),
    "layernorm": lambda keys, shapes, _: LayerNorm(shapes[0][-1], keys.get("eps", 1e-5), keys.get("bias", True)),
    "groupnorm": lambda keys, shapes, _: nn.GroupNorm(keys["groups"], shapes[0][1], keys.get("eps", 1e-5),
                                                      keys.get("affine", True)),
    "instancenorm": lambda keys, shapes, _: of_sides("InstanceNorm", shapes)(shapes[0][1], keys.get("eps", 1e-5),
                                                                             affine=keys.get("affine", False)),
    "rmsnorm": lambda keys, shapes, _: RmsNorm(shapes[0][-1], keys.get("eps", 1e-6)),
    "flatten": lambda keys, shapes, _: nn.Flatten(),
    "add": lambda keys, shapes, _: Sum(),
    "mul": lambda keys, shapes, _: Product(),
    "concat": lambda keys, shapes, _: Concatenation(),
    "attention": lambda keys, shapes, _: Attention(keys),
    "additive_attention": lambda keys, shapes, _: AdditiveAttention(shapes[0][-1]),
    "parameter": lambda keys, shapes, _: Vectors(keys, shapes[0]),
    "rope": lambda keys, shapes, _: Rotation(keys, shapes[0]),
    "slice": lambda keys, shapes, _: Positions(keys),
    "to_sequence": lambda keys, shapes, _: Cells(),
}


def cross_entropy(keys, scores, labels):
    return nn.functional.cross_entropy(scores, labels.flatten(), ignore_index=keys.get("ignore", -100),
                                       label_smoothing=keys.get("smoothing", 0.0))


def mse(keys, scores, labels):
    return nn.functional.mse_loss(scores, labels.flatten(1))


def bce(keys, scores, labels):
    return nn.functional.binary_cross_entropy_with_logits(
        scores, labels.flatten(1), pos_weight=torch.tensor(keys.get("positive_weight", 1.0), dtype=scores.dtype))


def dice(keys, scores, labels):
    """Of each sample by itself, or of all together."""
    losses, smooth = [], keys.get("smooth", 1e-5)
    groups = labels.reshape(1 if keys.get("batch") else len(labels), -1)
    for rows, label in zip(scores.reshape(*groups.shape, -1), groups):
        if "ignore" in keys:
            counted = label != keys["ignore"]
            rows, label = rows[counted], label[counted]
        p, wanted = torch.softmax(rows, 1), nn.functional.one_hot(label, rows.shape[1]).to(rows.dtype)
        overlap = (2 * (p * wanted).sum(0) + smooth) / ((p + wanted).sum(0) + smooth)
        overlap = overlap[0 if keys.get("background") else 1:].mean()
        losses.append(1 - overlap + keys.get("cross_entropy", 0) * nn.functional.cross_entropy(rows, label))
    return torch.stack(losses).mean()


LOSSES = {"softmax_loss": cross_entropy, "mse": mse, "bce": bce, "dice": dice}


class Network(nn.Module):
    """The graph of a network file up to its loss; values are numbered: 0 is the first input, -1 the second."""

    def __init__(self, spec, in_place):
        super().__init__()
        inputs = inputs_of(spec)
        numbers = {name: -k for k, name in enumerate(inputs)}
        layers = list(flat_layers(spec["layers"]))
        if layers[-1]["type"] not in LOSSES:
            sys.exit(f"torch_driver: the last layer is none of {', '.join(LOSSES)}")
        names, sources = [], []
        for index, keys in enumerate(layers):
            above = keys.get("from", layers[index - 1]["name"] if index else next(iter(inputs)))
            sources.append([numbers[name] for name in (above if isinstance(above, list) else [above])])
            numbers[keys["name"]] = index + 1
            names.append(keys["name"])
        values = range(1 - len(inputs), len(layers) + 1)
        readers = {value: sum(row.count(value) for row in sources) for value in values}
        self.types, self.sources, self.names = [keys["type"] for keys in layers[:-1]], sources, names[:-1]
        self.last_reader = {v: max((i for i, row in enumerate(sources) if v in row), default=0) for v in values}
        self.layers = nn.ModuleList()
        shapes = {numbers[name]: (2, *sample_shape(each)) for name, each in inputs.items()}
        types = {numbers[name]: torch.long if "tokens" in each else torch.float for name, each in inputs.items()}
        vocabularies = {numbers[name]: each.get("vocabulary") for name, each in inputs.items()}
        self.eval()
        for index, (keys, row) in enumerate(zip(layers[:-1], sources)):
            if keys["type"] not in MAKERS:
                sys.exit(f"torch_driver: layer {keys['name']} is of the unsupported type {keys['type']}")
            overwrites = (in_place and row[0] > 0 and readers[row[0]] == 1 and
                          layers[row[0] - 1]["type"] not in KEEPS_OUTPUT)
            keys = {"vocabulary": vocabularies.get(row[0]), **keys}
            read = [shapes[value] for value in row]
            module = (Adapted(keys, read) if "lora" in keys else MAKERS[keys["type"]](keys, read, overwrites)).eval()
            with torch.no_grad():
                made = module(*(torch.zeros(shapes[value], dtype=types[value]) for value in row))
            shapes[index + 1], types[index + 1] = tuple(made.shape), made.dtype
            self.layers.append(module if "lora" in keys else module.requires_grad_(not keys.get("frozen", False)))
        self.owners = {keys["name"]: keys["weight_of"] for keys in layers if "weight_of" in keys}
        for reader, owner in self.owners.items():
            inner(self.layers[self.names.index(reader)]).weight = inner(self.layers[self.names.index(owner)]).weight
        scores = shapes[len(layers) - 1]
        self.end, self.scores = layers[-1], scores[1:]
        self.has_numbers = self.end["type"] in ("mse", "bce")
        self.positions = scores[1:2] if is_sequence(scores) and not self.has_numbers else ()
        self.ignored = self.end.get("ignore", None if self.end["type"] == "dice" else -100)
        self.train()
        for keys, module in zip(layers, self.layers):
            if keys.get("frozen"):
                module.eval()  # a batch norm uses its running statistics

    def part(self, values, begin, end, wrap=None):
        """Runs layers begin to end - 1; `values` holds what is alive before, and afterwards."""
        for i in range(begin, end):
            inputs = [values[v] for v in self.sources[i]]
            module = self.layers[i]
            values[i + 1] = wrap(module, inputs) if wrap and self.types[i] in CHEAP else module(*inputs)
            del inputs
            for v in set(self.sources[i]):
                if self.last_reader[v] == i:
                    del values[v]
        return values[end]

    def forward(self, images, wrap=None):
        """A row for each sample, or each position of each; several inputs are a list."""
        images = images if isinstance(images, list) else [images]
        scores = self.part({-k: image for k, image in enumerate(images)}, 0, len(self.layers), wrap)
        return scores.flatten(0, 1) if self.positions else scores.flatten(1)

    def bottlenecks(self):
        """Where one value alone is carried from the layers before to those behind."""
        count = len(self.layers)
        return [at for at in range(1, count)
                if not any(made < at <= last and last < count for made, last in self.last_reader.items())]

    def forward_in_segments(self, images):
        """Chen et al., "Training deep nets with sublinear memory cost", 2016: sqrt(n) segments, of which only the
        borders are kept."""
        count, cuts = len(self.layers), self.bottlenecks()
        wanted = max(2, round(count ** 0.5))
        ends = sorted({min(cuts, key=lambda cut: abs(cut - count * i / wanted)) for i in range(1, wanted)} if cuts else ())
        begin, value = 0, images[0]
        for end in ends:
            value = checkpoint(lambda x, b=begin, e=end: self.part({b: x}, b, e), value, use_reentrant=False)
            begin = end
        return self.part({begin: value}, begin, count).flatten(1)

    def tensors(self, of=lambda tensor: tensor):
        """By the names of weight files: what `of` makes of each parameter, and the running statistics. A weight that
        layers share has the name of the one that owns it."""
        result = {}
        for name, module in zip(self.names, self.layers):
            for key, tensor in [*inner(module).named_parameters(), *inner(module).named_buffers()]:
                if tensor.is_floating_point() and not (key == "weight" and name in self.owners):
                    words = [word for word in key.split(".") if word != "base" and not word.isdigit()]
                    result[".".join([name, *words])] = of(tensor)
        return {key: tensor for key, tensor in result.items() if tensor is not None}


def read_spec(path, batch):
    with open(path, encoding="utf-8") as file:
        spec = yaml.safe_load(file)
    return spec, batch or spec["batch"]


SETTINGS = ("lr", "momentum", "weight_decay", "betas", "eps", "initial_accumulator_value")
# Without a setting each has PyTorch's own, but for momentum, which is 0.9, and the rate of SGD, which has none.
OPTIMIZERS = {
    "sgd": lambda weights, lr=0.01, momentum=0.9, **more: torch.optim.SGD(weights, lr, momentum, **more),
    "nesterov": lambda weights, lr=0.01, momentum=0.9, **more: torch.optim.SGD(weights, lr, momentum, nesterov=True, **more),
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
    "adagrad": torch.optim.Adagrad,
}


def make_optimizer(spec, weights, fast=False):
    """`fast`: by one kernel for all weights, where this PyTorch has it."""
    training = spec.get("training", {})
    make, weights = OPTIMIZERS[training.get("optimizer", "sgd")], list(weights)
    settings = {key: training[key] for key in SETTINGS if key in training}
    try:
        return make(weights, **settings, fused=True) if fast else make(weights, **settings)
    except (RuntimeError, TypeError):
        return make(weights, **settings)


# ---- export and compare ----------------------------------------------------------------------------------------------


def save_safetensors(path, tensors):
    arrays = {name: tensor.detach().cpu().float().contiguous().numpy().astype("<f4") for name, tensor in tensors.items()}
    header, at = {}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(array.tobytes())


def sample_shape(image):
    """Of one sample of a network's input."""
    return tuple(image[key] for key in ("tokens", "channels", "depth", "height", "width") if key in image)


def as_input(array, network):
    """Numbers in the type of the network's parameters; tokens as they are."""
    tensor = torch.from_numpy(array)
    return tensor.to(next(network.parameters()).dtype) if tensor.is_floating_point() else tensor


def add_gradients(network, images, labels, micro_batches):
    """Of the mean loss over the batch, run in so many micro-batches, weighted by their samples; returns the loss."""
    loss = 0.0
    parts = zip(*(np.array_split(each, micro_batches) for each in images))
    for image, label in zip(parts, np.array_split(labels, micro_batches)):
        weight = len(label) / len(labels)
        scores = network([as_input(each, network) for each in image])
        part = LOSSES[network.end["type"]](network.end, scores, as_input(label, network))
        (part * weight).backward()
        loss += part.item() * weight
    return loss


def train(spec, network, images, labels, micro_batches):
    """The loss of each step; and the gradients of the first."""
    optimizer, losses, gradients = make_optimizer(spec, network.parameters()), [], None
    for *image, label in zip(*images, labels):
        optimizer.zero_grad()
        loss = add_gradients(network, image, label, micro_batches)
        if gradients is None:
            gradients = network.tensors(lambda tensor: None if tensor.grad is None else tensor.grad.clone())
        clip_norm = spec.get("training", {}).get("clip_norm", 0)
        if clip_norm > 0:
            nn.utils.clip_grad_norm_(network.parameters(), clip_norm)
        optimizer.step()
        losses.append(loss)
    return losses, gradients


def scatter_scales(network, random):
    """Scales and shifts of norms that are not 1 and 0, so that an error in them is seen from the first step."""
    for module in network.layers:
        for key, low, high in (("weight", 0.8, 1.25), ("bias", -0.1, 0.1)) if isinstance(module, NORMS) else ():
            parameter = getattr(module, key, None)
            if parameter is not None:
                parameter.data = torch.from_numpy(random.uniform(low, high, parameter.shape).astype(np.float32))


def draw_input(random, folder, name, image, leading):
    """One of the network's inputs for some steps of a batch each, also as a file."""
    shape = (*leading, *sample_shape(image))
    if "tokens" in image:
        file, values = "tokens", random.integers(0, image["vocabulary"], shape, dtype=np.int64)
    else:
        file, values = "images", random.standard_normal(shape, dtype=np.float32)
    file = file if name == "input" else name
    np.save(os.path.join(folder, f"{file}.npy"), values.reshape(-1, *values.shape[2:]))
    return values


def predict(network, images):
    """The probabilities of the classes, of float32 weights as they are."""
    network.eval()
    with torch.no_grad():
        return torch.softmax(network(torch.from_numpy(images)), 1).numpy()


def export(model, folder, steps, batch, micro_batches):
    spec, batch = read_spec(model, batch)
    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    network, exact = Network(spec, in_place=True), Network(spec, in_place=False)
    if "dropout" in network.types:
        sys.exit("torch_driver: the network has dropout, and nobody else draws PyTorch's random numbers")
    scatter_scales(network, random)
    exact.load_state_dict(network.state_dict())
    images = [draw_input(random, folder, name, each, (steps, batch)) for name, each in inputs_of(spec).items()]
    if network.has_numbers:
        labels = random.random((steps, batch, *network.scores), dtype=np.float32)
    else:
        labels = random.integers(0, spec["classes"], (steps, batch, *network.positions), dtype=np.int64)
    if network.positions and network.ignored is not None:
        labels[random.random(labels.shape) < IGNORED_SHARE] = network.ignored
    name = network.end.get("labels", "labels")
    np.save(os.path.join(folder, f"{name}.npy"), labels.reshape(-1, *labels.shape[2:]))
    save_safetensors(os.path.join(folder, "init.safetensors"), network.tensors())
    losses = {}
    for suffix, each in (("_float32", network), ("", exact.double())):
        losses[suffix], gradients = train(spec, each, images, labels, micro_batches)
        save_safetensors(os.path.join(folder, f"gradients{suffix}.safetensors"), gradients)
        save_safetensors(os.path.join(folder, f"last{suffix}.safetensors"), each.tensors())
    if images[0].dtype == np.float32 and len(images) == 1 and not network.positions and not network.has_numbers:
        np.save(os.path.join(folder, "probabilities.npy"), predict(network, images[0].reshape(-1, *images[0].shape[2:])))
    result = dict(losses=losses["_float32"], losses_float64=losses[""],
                  worst_relative_float32=worst_relative(losses["_float32"], losses[""]))
    with open(os.path.join(folder, "losses.json"), "w", encoding="utf-8") as file:
        json.dump(result, file)
    return result


def rules(folder, name, training, steps):
    """Some gradients are 0, some tiny, and some of one sign for all steps."""
    random = np.random.default_rng(SEED)
    init = random.standard_normal(RULE_COUNT, dtype=np.float32)
    gradients = random.standard_normal((steps, RULE_COUNT), dtype=np.float32)
    gradients *= np.float32(10) ** random.integers(-6, 2, RULE_COUNT).astype(np.float32)
    gradients[:, ::7] = 0
    gradients[:, 1::7] = abs(gradients[:, 1::7])
    weight = nn.Parameter(torch.from_numpy(init.copy()))
    optimizer = make_optimizer({"training": yaml.safe_load(training)}, [weight])
    for gradient in gradients:
        weight.grad = torch.from_numpy(gradient)
        optimizer.step()
    save_safetensors(os.path.join(folder, f"{name}.safetensors"),
                     {"init": torch.from_numpy(init), "gradients": torch.from_numpy(gradients), "last": weight})
    return dict(name=name, steps=steps)


def worst_relative(values, exact):
    return max(abs(value - true) / abs(true) for value, true in zip(values, exact))


def compare(folder, run, rtol):
    """No farther from float64 than rtol, or three times as far as PyTorch's own float32."""
    with open(os.path.join(folder, "losses.json"), encoding="utf-8") as file:
        wanted = json.load(file)
    with open(run, encoding="utf-8") as file:
        found = json.load(file)["losses"]
    exact = wanted["losses_float64"]
    worst = worst_relative(found, exact) if len(found) >= len(exact) else float("inf")
    return dict(steps=len(exact), worst_relative=worst, allowed=max(rtol, 3 * wanted["worst_relative_float32"]))


# ---- speed -----------------------------------------------------------------------------------------------------------


def recomputed(module, inputs):
    return checkpoint(module, *inputs, use_reentrant=False)


class Bench:
    """A training step of one network on one device, in one of the modes."""

    MODES = {
        "plain": lambda self: self.network(self.images),
        "compile": lambda self: self.network(self.images),
        "cheap": lambda self: self.network(self.images, recomputed),  # all but products and convolutions
        "checkpoint": lambda self: self.network.forward_in_segments(self.images),
        "save_on_cpu": lambda self: self.network(self.images),
    }

    def __init__(self, options):
        self.mode, self.device, self.cuda = options.mode, options.device, options.device.startswith("cuda")
        self.is_wide = options.dtype == "bf16"
        spec, self.batch = read_spec(options.model, options.batch)
        torch.manual_seed(SEED)
        if self.cuda:
            self.prepare_card(options)
        form = options.format or ("nhwc" if self.cuda or self.is_wide else "nchw")
        is_volume = any("depth" in each for each in inputs_of(spec).values())
        form = (torch.contiguous_format if form == "nchw" else
                torch.channels_last_3d if is_volume else torch.channels_last)
        # What is recomputed must find its input as it was.
        in_place = self.mode in ("plain", "save_on_cpu")
        self.network = Network(spec, in_place).to(self.device, memory_format=form)
        self.optimizer = make_optimizer(spec, self.network.parameters(), fast=True)
        self.clip_norm = spec.get("training", {}).get("clip_norm", 0)
        self.end = self.network.end
        self.images = [self.draw(each, form) for each in inputs_of(spec).values()]
        self.labels = self.draw_labels(spec).to(self.device)
        if self.mode == "compile":
            self.network = torch.compile(self.network)

    def draw(self, image, form):
        """An input of a batch: pictures, volumes or tokens."""
        shape = (self.batch, *sample_shape(image))
        if "tokens" in image:
            return torch.randint(0, image["vocabulary"], shape).to(self.device)
        return torch.randn(shape).to(self.device, memory_format=form)

    def draw_labels(self, spec):
        """A number for each score, or a class for each sample, or each position."""
        if self.network.has_numbers:
            return torch.rand((self.batch, *self.network.scores))
        classes = spec.get("classes") or next(iter(inputs_of(spec).values()))["vocabulary"]
        return torch.randint(0, classes, (self.batch, *self.network.positions))

    @staticmethod
    def prepare_card(options):
        if options.cap_gib:
            share = options.cap_gib * 2**30 / torch.cuda.get_device_properties(0).total_memory
            torch.cuda.set_per_process_memory_fraction(min(1.0, share))
        torch.backends.cudnn.benchmark = True
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = options.dtype == "tf32"

    def loss(self):
        with torch.autocast("cuda" if self.cuda else "cpu", torch.bfloat16, enabled=self.is_wide):
            return LOSSES[self.end["type"]](self.end, self.MODES[self.mode](self), self.labels)

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        if self.mode == "save_on_cpu":
            with torch.autograd.graph.save_on_cpu(pin_memory=self.cuda):
                loss = self.loss()
        else:
            loss = self.loss()
        loss.backward()
        if self.clip_norm > 0:
            nn.utils.clip_grad_norm_(self.network.parameters(), self.clip_norm)
        self.optimizer.step()
        return loss.item()

    def synchronize(self):
        if self.cuda:
            torch.cuda.synchronize()

    def seconds_of_step(self):
        self.synchronize()
        start = time.perf_counter()
        loss = self.step()
        self.synchronize()
        return time.perf_counter() - start, loss

    def peak_bytes(self):
        """On the CPU, of the whole process; IMPORTED_BYTES of it were there before."""
        return torch.cuda.max_memory_allocated() if self.cuda else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def speed(options):
    head = dict(model=os.path.basename(options.model), batch=options.batch, device=options.device, dtype=options.dtype,
                mode=options.mode, cap_gib=options.cap_gib, torch=torch.__version__)
    try:
        bench = Bench(options)
        head["batch"] = bench.batch
        steps = [bench.seconds_of_step() for _ in range(UNTIMED_STEPS + options.steps)]
    except RuntimeError as error:
        if "out of memory" not in str(error):
            raise
        return dict(head, error="out of memory")
    seconds = statistics.median(seconds for seconds, _ in steps[UNTIMED_STEPS:])
    return dict(head, step_seconds=seconds, images_per_second=bench.batch / seconds, loss=steps[-1][1],
                peak_bytes=bench.peak_bytes(), imported_bytes=IMPORTED_BYTES)


# ---- the command line ------------------------------------------------------------------------------------------------


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    exporting, ruling, comparing, timing = (commands.add_parser(name) for name in ("export", "rules", "compare", "speed"))
    exporting.add_argument("places", nargs="+", metavar="MODEL DIR")
    exporting.add_argument("--steps", type=int, default=5)
    exporting.add_argument("--accumulate", type=int, default=1, metavar="N", help="micro-batches of a step")
    ruling.add_argument("folder")
    ruling.add_argument("places", nargs="+", metavar="NAME TRAINING")
    ruling.add_argument("--steps", type=int, default=20)
    comparing.add_argument("folder")
    comparing.add_argument("run")
    comparing.add_argument("--rtol", type=float, default=1e-4)
    timing.add_argument("model")
    timing.add_argument("--device", default="cpu")
    timing.add_argument("--dtype", choices=("f32", "tf32", "bf16"), default="f32")
    timing.add_argument("--format", choices=("nchw", "nhwc"), help="default: the faster one, nhwc on cards and in bf16")
    timing.add_argument("--mode", choices=tuple(Bench.MODES), default="plain")
    timing.add_argument("--cap-gib", type=float)
    timing.add_argument("--steps", type=int, default=5, help=f"timed ones, after {UNTIMED_STEPS} others")
    for each in (exporting, timing):
        each.add_argument("--batch", type=int, help="default: the network's")
        each.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.command in ("export", "rules") and len(options.places) % 2:
        parser.error(f"{options.command} takes pairs")
    return options


def main():
    options = read_options()
    if options.command == "compare":
        result = compare(options.folder, options.run, options.rtol)
        print(json.dumps(result))
        return 0 if result["worst_relative"] <= result["allowed"] else 1
    if options.command == "rules":
        for name, training in zip(options.places[::2], options.places[1::2]):
            print(json.dumps(rules(options.folder, name, training, options.steps)))
        return 0
    torch.set_num_threads(options.threads)
    if options.command == "speed":
        print(json.dumps(speed(options)))
    else:
        for model, folder in zip(options.places[::2], options.places[1::2]):
            print(json.dumps(export(model, folder, options.steps, options.batch, options.accumulate)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
