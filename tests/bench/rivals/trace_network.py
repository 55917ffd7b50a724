"""The network of a traced step (dtr.py): a layer for each call of forward that makes a tensor, with the bytes and times traced.

What a call writes in place belongs to the layer that made it; a call that makes nothing (a view) is time of the layer whose
storage it is of. Of several outputs the one that later layers read is the map, the others are kept for backward if that
reads them. A call of backward belongs to the layer with the most storages that it reads, and says whether that layer's
inputs or its output are needed; one that reads none is time of the layer whose call comes next. Constants, and what is left
after the step (gradients of parameters), take no part: they are taken from the budgets.
"""
import json
import math
import re

FORWARD_NAMES = {"threshold": "relu", "max_pool2d_with_indices": "max_pool2d"}  # where backward is called otherwise

# Of which a layer takes its traced times: 1e9 operations a second, and nothing else takes time; copies at `rate` bytes/s.
DEVICE = """name: traced
calibrated: false
memory: {{bytes: {{value: 64424509440, {basis}}}, bytes_per_second: {{value: 1.0e15, {basis}}}}}
compute: {{f32_flops_per_second: {{value: 1.0e9, {basis}}}, launch_seconds: {{value: 0, {basis}}},
  multiprocessors: {{value: 80, {basis}}}}}
link: {{out_bytes_per_second: {{value: {rate:g}, {basis}}}, in_bytes_per_second: {{value: {rate:g}, {basis}}},
  latency_seconds: {{value: 1.0e-5, {basis}}}}}
host: {{bytes: {{value: 68719476736, {basis}}}}}
layers: {{memory_efficiency: {{value: 1, {basis}}}, gemm_efficiency: {{value: 1, {basis}}}, gemm_tile: {{value: 1, {basis}}}}}
"""
BASIS = 'basis: assumed, source: "for the times of a trace"'


class Unmapped(Exception):
    """Why a trace is no network."""


class Layer:
    """made: the storages that it makes; inputs, constants: those that it reads; needed: those that its backward reads."""

    def __init__(self, number):
        self.number, self.names, self.made, self.inputs = number, set(), [], []
        self.constants, self.needed, self.forward, self.backward = set(), set(), 0.0, 0.0

    def touched(self):
        return self.constants.union(self.made, self.inputs)

    def take_call(self, step, name, read):
        self.names.add(name)
        self.constants.update(s for s in read if step.constant[s])
        self.inputs += [s for s in read if not step.constant[s] and s not in self.made and s not in self.inputs]


def read_forward(step):
    """(layers, the layer that makes each storage)."""
    layers, maker, waiting = [], {}, 0.0
    for number, (seconds, written, read) in enumerate(step.calls[:step.backward]):
        waiting += seconds
        new = [s for s in written if s not in maker and not step.constant[s]]
        own = maker.get(next((s for s in written + read if s in maker), None))
        if new:
            own = Layer(len(layers))
            own.made = new
            layers.append(own)
            maker.update((s, own) for s in new)
        if own is None:
            continue
        if written:
            own.take_call(step, step.names[number], read)
        own.forward += waiting
        waiting = 0.0
    return layers, maker


def owner(layers, read, name):
    """The layer whose backward a call is; of equal ones one with a call of that name, then the one that makes a storage."""
    stem = name.split("_backward")[0]
    stem = FORWARD_NAMES.get(stem, stem)
    best = max(layers, key=lambda own: (len(own.touched() & read), any(stem in other for other in own.names),
                                        not read.isdisjoint(own.made), own.number))
    return best if best.touched() & read else None


def read_backward(step, layers, maker):
    waiting, last = 0.0, layers[-1]
    for name, (seconds, _, read) in zip(step.names[step.backward:], step.calls[step.backward:]):
        waiting += seconds
        own = owner(layers, {s for s in read if s in maker or step.constant[s]}, name)
        if own is not None:
            own.needed.update(s for s in read if s in maker)
            own.backward += waiting
            waiting, last = 0.0, own
    last.backward += waiting


def without_unread(layers, maker):
    """Without layers that the last one does not come from; their time is that of the layer before."""
    kept, wanted = [], {layers[-1].number}
    for layer in reversed(layers):
        if layer.number in wanted:
            wanted.update(maker[s].number for s in layer.inputs)
            kept.append(layer)
        else:
            layers[layer.number - 1].forward += layer.forward
            layers[layer.number - 1].backward += layer.backward
    return kept[::-1]


def layer_text(step, layer, read, maker):
    outs = [s for s in layer.made if s in read]
    needs_x = not layer.needed.isdisjoint(layer.inputs)
    if len(outs) > 1 or not layer.needed <= layer.touched() or needs_x and not layer.needed.issuperset(layer.inputs):
        raise Unmapped(f"{sorted(layer.names)}: two maps, or backward needs some of its inputs, or another layer's")
    floats = max(1, math.ceil(step.bytes[outs[0]] / 4)) if outs else 2
    aux = sum(step.bytes[s] for s in layer.made if s not in outs and s in layer.needed)
    needs = "x" * needs_x + "y" * bool(layer.needed.intersection(outs))
    names = list(dict.fromkeys(f"l{maker[s].number}" for s in layer.inputs)) or ["input"]
    return (f"  - {{name: l{layer.number}, type: {'_'.join(filter(None, ('traced', needs)))}, from: [{', '.join(names)}], "
            f"out: {floats}, aux: {math.ceil(aux / 4)}, params: {int(not layer.inputs)}, "
            f"forward: {layer.forward * 1e9:.3f}, backward: {layer.backward * 1e9:.3f}}}\n")


def network_text(step):
    layers, maker = read_forward(step)
    read_backward(step, layers, maker)
    layers = without_unread(layers, maker)
    read = {s for layer in layers for s in layer.inputs}
    return ("name: traced\ninput: {channels: 2, height: 1, width: 1}\nclasses: 2\nbatch: 1\nlayers:\n" +
            "".join(layer_text(step, layer, read, maker) for layer in layers) +
            "  - {name: loss, type: softmax_loss}\ntraining: {lr: 0.01, epochs: 1}\n")


def device_text(copy_bytes_per_second):
    """With a card's convolutions, which a device model must have and no trace does."""
    with open("models/devices/v100.yaml", encoding="utf-8") as file:
        convolution = re.search(r"^convolution:\n(?:[ #].*\n)+", file.read(), re.MULTILINE).group()
    return DEVICE.format(basis=BASIS, rate=copy_bytes_per_second) + convolution


# ---- a trace by hand -------------------------------------------------------------------------------


def call(name, args, result, time, **more):
    return dict(INSTRUCTION="CALL", NAME=name, ARGS=args, RESULT=result, TIME=str(time), **more)


def memory(name, count):
    return dict(INSTRUCTION="MEMORY", NAME=name, MEMORY=str(count))


HAND = (dict(INSTRUCTION="CONSTANT", NAME="w"), memory("w", 4),
        call("conv", ["w"], ["a"], 10), memory("a", 400),
        dict(INSTRUCTION="MUTATE", NAME="add_", ARGS=["a", "w"], MUTATE=[0], TIME="1"),
        call("norm", ["a"], ["b", "saved"], 20), memory("b", 80), memory("saved", 8),
        call("loss", ["b"], ["c"], 5), memory("c", 4),
        dict(INSTRUCTION="ANNOTATE", ANNOTATION="BACKWARD"),
        call("ones", ["c"], ["dc"], 3), call("loss_backward", ["dc", "b"], ["db"], 7),
        call("norm_backward", ["db", "a", "saved"], ["da"], 40), call("sum", ["da"], ["s"], 2),
        call("conv_backward", ["da", "w"], ["dw"], 30))
HAND_LAYERS = ("{name: l0, type: traced, from: [input], out: 100, aux: 0, params: 1, forward: 11.000, backward: 32.000}",
               "{name: l1, type: traced_x, from: [l0], out: 20, aux: 2, params: 0, forward: 20.000, backward: 40.000}",
               "{name: l2, type: traced_x, from: [l1], out: 2, aux: 1, params: 0, forward: 5.000, backward: 10.000}")


def check_by_hand(step):
    """Whether a new step that follows a trace written by hand becomes the layers written by hand."""
    for words in HAND:
        step.follow(json.loads(json.dumps(words)))
    text = network_text(step)
    missing = [line for line in HAND_LAYERS if line not in text]
    if missing:
        raise Unmapped(f"the trace by hand has no layer {missing[0]}, but:\n{text}")
