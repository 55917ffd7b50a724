"""PyTorch modules as networks.

torch_trace finds which operations a module calls on which values, and an example their shapes; each
operation becomes a layer, by the tables at the end. What has no layer is refused, with its place.
Operations that write in place give their new value to every name of the old one, as they do in PyTorch.
"""
from __future__ import annotations

import math
import operator
from typing import Any, Callable, Mapping

from vdnn.library import Error
from vdnn.model import Model
from vdnn.torch_trace import trace


class Translation:
    """The layers so far. A value is named by the layer that makes it."""

    def __init__(self, module: Any) -> None:
        self.modules = dict(module.named_modules())
        self.is_training = module.training
        self.layers: list[dict[str, Any]] = []
        self.value_of: dict[Any, str] = {}
        self.weights: dict[str, Any] = {}
        self.owner_of: dict[int, str] = {}  # of a weight, by its identity: the first layer that has it
        self.node: Any = None

    def refuse(self, needed: str) -> Error:
        """Where an operation has no layer: its module, the operator, and what would be needed."""
        node = self.node
        called = node.meta.get("module")
        place = called or node.meta.get("inside", "")
        kind = (type(self.modules[called]).__name__ if called
                else getattr(node.target, "_opname", getattr(node.target, "__name__", str(node.target))))
        return Error("BAD_INPUT", f"{place or 'the module itself'}: {kind}: {needed}")

    def expect(self, is_so: bool, needed: str) -> None:
        if not is_so:
            raise self.refuse(needed)

    def shape(self, node: Any) -> tuple[int, ...]:
        return node.meta["shape"]

    def sides(self, x: Any, value: Any) -> list[Any]:
        """A number for each side of the pictures or volumes x."""
        return list(value) if isinstance(value, (list, tuple)) else [value] * (len(self.shape(x)) - 2)

    def add(self, kind: str, inputs: Any, **keys: Any) -> str:
        names = {layer["name"] for layer in self.layers} | {"input"}
        name = self.node.meta["module"] or self.node.name
        if name in names:
            name = self.node.name
        while name in names:
            name += "_"
        sources = [self.value_of[one] for one in inputs] if isinstance(inputs, (list, tuple)) else self.value_of[inputs]
        self.layers.append({"name": name, "type": kind, "from": sources, **keys})
        return name

    def same(self, x: Any) -> str:
        return self.value_of[x]

    def written(self, x: Any, name: str, in_place: bool) -> str:
        """In place, all that had the old value have the new one."""
        old = self.value_of[x]
        if in_place:
            self.value_of.update((one, name) for one, value in self.value_of.items() if value == old)
        return name

    def take_parameters(self, name: str, module: Any) -> dict[str, Any]:
        """Keeps the values of a layer's parameters. The keys that say whose weight it is, and that it is frozen."""
        self.expect(not (module._forward_hooks or module._forward_pre_hooks), "it has hooks; expected none")
        parameters = dict(module.named_parameters(recurse=False))
        values = {**parameters, **dict(module.named_buffers(recurse=False))}
        values.pop("num_batches_tracked", None)
        kept = [what for what, value in parameters.items() if not value.requires_grad]
        self.expect(not kept or len(kept) == len(parameters),
                    f"its {', '.join(kept)} does not require gradients, but others do; expected all of them, or none")
        shared = {what for what, value in values.items() if id(value) in self.owner_of}
        self.expect(shared <= {"weight"}, f"its {', '.join(sorted(shared))} is another layer's; only weights can be")
        for what, value in values.items():
            if what not in shared:
                self.weights[f"{name}.{what}"] = value.detach().cpu()
        owner = self.owner_of.get(id(values.get("weight")))
        self.owner_of.update({id(value): name for what, value in values.items() if what not in shared})
        return {**({"weight_of": owner} if shared else {}), **({"frozen": True} if kept else {})}

    def add_with_parameters(self, kind: str, x: Any, module: Any, **keys: Any) -> str:
        name = self.add(kind, x, **keys)
        self.layers[-1].update(self.take_parameters(name, module))
        return name


# ---- operations: from their arguments to the value that they make ----------------------------------------------------


def conv(t: Translation, x: Any, m: Any) -> str:
    kernel, dilation = t.sides(x, m.kernel_size), t.sides(x, m.dilation)
    t.expect(m.padding_mode == "zeros", f"padding_mode {m.padding_mode!r}; expected 'zeros'")
    pad = {"valid": [0] * len(kernel), "same": [d * (k - 1) / 2 for k, d in zip(kernel, dilation)]}.get(
        m.padding, m.padding) if isinstance(m.padding, str) else m.padding
    t.expect(all(value == int(value) for value in pad), "padding 'same' that is not even; expected it on both sides")
    return t.add_with_parameters("conv", x, m, out=m.out_channels, kernel=kernel, stride=t.sides(x, m.stride),
                                 pad=[int(value) for value in pad], dilation=dilation, groups=m.groups,
                                 bias=m.bias is not None)


def conv_transpose(t: Translation, x: Any, m: Any) -> str:
    kernel, stride, pad, output_pad, dilation = (
        t.sides(x, value) for value in (m.kernel_size, m.stride, m.padding, m.output_padding, m.dilation))
    return t.add_with_parameters("conv_transpose", x, m, out=m.out_channels, kernel=kernel, stride=stride, pad=pad,
                                 output_pad=output_pad, dilation=dilation, groups=m.groups, bias=m.bias is not None)


def linear(t: Translation, x: Any, m: Any) -> str:
    t.expect(len(t.shape(x)) == 2, f"an input of shape {t.shape(x)}; expected (batch, features): flatten it first")
    return t.add_with_parameters("fc", x, m, out=m.out_features, bias=m.bias is not None)


def batch_norm(t: Translation, x: Any, m: Any) -> str:
    t.expect(m.affine and m.track_running_stats and m.momentum is not None,
             "without affine, running statistics or momentum; expected all of them")
    t.expect(not (is_frozen(m) and m.training),
             "without gradients, but by the statistics of the batch; expected it in evaluation mode: module.eval()")
    t.expect(len(t.shape(x)) in (2, 4, 5), f"an input of shape {t.shape(x)}; expected pictures, volumes or vectors")
    return t.add_with_parameters("batchnorm", x, m, eps=m.eps, momentum=m.momentum)


def relu(t: Translation, x: Any, inplace: bool = False) -> str:
    return t.written(x, t.add("relu", x), inplace)


def activation(kind: str) -> Callable[..., str]:
    def apply(t: Translation, x: Any, inplace: bool = False) -> str:
        return t.written(x, t.add(kind, x), inplace)
    return apply


def gelu(t: Translation, x: Any, approximate: str = "none") -> str:
    return t.add("gelu", x, approximate=approximate)


def leaky_relu(t: Translation, x: Any, negative_slope: float = 0.01, inplace: bool = False) -> str:
    t.expect(negative_slope >= 0, f"negative_slope {negative_slope}; expected 0 or more")
    return t.written(x, t.add("leaky_relu", x, slope=negative_slope), inplace)


def group_norm(t: Translation, x: Any, m: Any) -> str:
    t.expect(len(t.shape(x)) in (2, 4, 5), f"an input of shape {t.shape(x)}; expected pictures, volumes or vectors")
    return t.add_with_parameters("groupnorm", x, m, groups=m.num_groups, eps=m.eps, affine=m.affine)


def instance_norm(t: Translation, x: Any, m: Any) -> str:
    t.expect(not m.track_running_stats, "with running statistics; expected none")
    return t.add_with_parameters("instancenorm", x, m, eps=m.eps, affine=m.affine)


def layer_norm(t: Translation, x: Any, m: Any) -> str:
    t.expect(len(t.shape(x)) == 2 and len(m.normalized_shape) == 1 and m.elementwise_affine,
             "of more than the features of vectors, or without a weight; expected (batch, features) and a weight")
    return t.add_with_parameters("layernorm", x, m, eps=m.eps, bias=m.bias is not None)


def dropout(t: Translation, x: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> str:
    return t.written(x, t.add("dropout", x, p=p), inplace) if training and p > 0 else t.same(x)


def max_pool(t: Translation, x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
             ceil_mode: bool = False, return_indices: bool = False) -> str:
    t.expect(all(one == 1 for one in t.sides(x, dilation)) and not return_indices,
             "with dilation or indices; expected none")
    return t.add("maxpool", x, kernel=t.sides(x, kernel_size), stride=t.sides(x, stride or kernel_size),
                 pad=t.sides(x, padding), ceil=ceil_mode)


def avg_pool(t: Translation, x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
             count_include_pad: bool = True, divisor_override: Any = None) -> str:
    t.expect(divisor_override is None, "with divisor_override; expected none")
    return t.add("avgpool", x, kernel=t.sides(x, kernel_size), stride=t.sides(x, stride or kernel_size),
                 pad=t.sides(x, padding), ceil=ceil_mode, count_pad=count_include_pad)


def adaptive(kind: str) -> Callable[..., str]:
    def pool(t: Translation, x: Any, output_size: Any, return_indices: bool = False) -> str:
        sides = t.shape(x)[2:]
        wanted = [side if out is None else out for side, out in zip(sides, t.sides(x, output_size))]
        t.expect(not return_indices and all(side % out == 0 for side, out in zip(sides, wanted)),
                 f"from {list(sides)} to {wanted}; expected a size that divides the input's")
        if wanted == list(sides):
            return t.same(x)
        if kind == "avgpool" and all(out == 1 for out in wanted):
            return t.add("global_avgpool", x)
        return t.add(kind, x, kernel=[side // out for side, out in zip(sides, wanted)])
    return pool


def upsample(t: Translation, x: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
             align_corners: Any = None, **_: Any) -> str:
    """Its other arguments, recompute_scale_factor and antialias, change nothing where sides grow by whole numbers."""
    old, linear = t.shape(x)[2:], {4: "bilinear", 5: "trilinear"}.get(len(t.shape(x)))
    scale = (t.sides(x, scale_factor) if scale_factor is not None
             else [new / side for new, side in zip(t.sides(x, size), old)])
    t.expect(mode in ("nearest", linear) and not align_corners and all(one == int(one) for one in scale),
             f"mode {mode!r} by {scale}; expected 'nearest' or {linear!r}, by whole numbers, no align_corners")
    return t.add("upsample", x, scale=[int(one) for one in scale], mode="nearest" if mode == "nearest" else "bilinear")


def mean(t: Translation, x: Any, dim: Any = None, keepdim: bool = False) -> str:
    rank = len(t.shape(x))
    dims = sorted(d % rank for d in dim) if isinstance(dim, (list, tuple)) else None
    t.expect(rank in (4, 5) and dims == list(range(2, rank)),
             "of other dimensions than all sides of pictures or volumes, which are expected")
    return t.add("global_avgpool", x)


def local_response_norm(t: Translation, x: Any, m: Any) -> str:
    return t.add("lrn", x, size=m.size, alpha=m.alpha, beta=m.beta, k=m.k)


def add(t: Translation, x: Any, y: Any, alpha: float = 1, in_place: bool = False) -> str:
    t.expect(all(one in t.value_of for one in (x, y)) and t.shape(x) == t.shape(y) and alpha == 1,
             "of a number, of other shapes or with alpha; expected two values of one shape")
    return t.written(x, t.add("add", [x, y]), in_place)


def mul(t: Translation, x: Any, y: Any, in_place: bool = False) -> str:
    for one, other in ((x, y), (y, x)):
        if isinstance(other, (int, float)) and one in t.value_of:
            return t.written(one, t.add("scale", one, factor=float(other)), in_place)
    t.expect(all(one in t.value_of for one in (x, y)) and t.shape(x) == t.shape(y),
             "with another shape; expected a number, or two values of one shape")
    return t.written(x, t.add("mul", [x, y]), in_place)


def concat(t: Translation, tensors: Any, dim: int = 0) -> str:
    t.expect(dim % len(t.shape(tensors[0])) == 1, f"along dimension {dim}; expected 1, the channels")
    return t.add("concat", list(tensors)) if len(tensors) > 1 else t.same(tensors[0])


def reshape(t: Translation, x: Any, *_: Any, **__: Any) -> str:
    """Whatever it is called, what counts is the shape that it makes: vectors, or the one that it was given."""
    old, new = t.shape(x), t.shape(t.node)
    count = math.prod(old[1:])
    t.expect(new == old or (new[0] == old[0] and new[1:] in ((count,), (count, 1, 1))),
             f"from {old} to {new}; expected vectors, ({old[0]}, {count})")
    is_vector = math.prod(old[2:]) == 1
    return t.same(x) if new == old or is_vector else t.add("flatten", x)


def same(t: Translation, x: Any, *_: Any, **__: Any) -> str:
    return t.same(x)


def log_softmax(t: Translation, x: Any, dim: Any = None, *_: Any, **__: Any) -> str:
    t.expect(all(user.op == "output" for user in t.node.users) and dim in (1, -1),
             "expected at the end alone, along the classes: the loss applies it")
    return t.same(x)


# ---- the tables ------------------------------------------------------------------------------------------------------


def module_table(nn: Any) -> dict[type, Callable[[Translation, Any, Any], str]]:
    return {
        nn.Conv2d: conv, nn.Conv3d: conv, nn.ConvTranspose2d: conv_transpose, nn.ConvTranspose3d: conv_transpose,
        nn.Linear: linear, nn.BatchNorm1d: batch_norm, nn.BatchNorm2d: batch_norm, nn.BatchNorm3d: batch_norm,
        nn.LocalResponseNorm: local_response_norm,
        nn.ReLU: lambda t, x, m: relu(t, x, m.inplace),
        nn.GELU: lambda t, x, m: gelu(t, x, m.approximate),
        nn.LeakyReLU: lambda t, x, m: leaky_relu(t, x, m.negative_slope, m.inplace),
        nn.SiLU: lambda t, x, m: activation("silu")(t, x, m.inplace),
        nn.ReLU6: lambda t, x, m: activation("relu6")(t, x, m.inplace),
        nn.Hardswish: lambda t, x, m: activation("hardswish")(t, x, m.inplace),
        nn.Tanh: lambda t, x, m: activation("tanh")(t, x), nn.Sigmoid: lambda t, x, m: activation("sigmoid")(t, x),
        nn.GroupNorm: group_norm, nn.InstanceNorm2d: instance_norm, nn.InstanceNorm3d: instance_norm,
        nn.LayerNorm: layer_norm,
        nn.Upsample: lambda t, x, m: upsample(t, x, m.size, m.scale_factor, m.mode, m.align_corners),
        nn.Dropout: lambda t, x, m: dropout(t, x, m.p, True, m.inplace),
        **dict.fromkeys((nn.MaxPool2d, nn.MaxPool3d), lambda t, x, m: max_pool(
            t, x, m.kernel_size, m.stride, m.padding, m.dilation, m.ceil_mode, m.return_indices)),
        **dict.fromkeys((nn.AvgPool2d, nn.AvgPool3d), lambda t, x, m: avg_pool(
            t, x, m.kernel_size, m.stride, m.padding, m.ceil_mode, m.count_include_pad, m.divisor_override)),
        **dict.fromkeys((nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d),
                        lambda t, x, m: adaptive("avgpool")(t, x, m.output_size)),
        **dict.fromkeys((nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d),
                        lambda t, x, m: adaptive("maxpool")(t, x, m.output_size, m.return_indices)),
        nn.Flatten: reshape, nn.Identity: same,
        nn.LogSoftmax: lambda t, x, m: log_softmax(t, x, m.dim),
    }


def function_table(torch: Any) -> dict[Any, Callable[..., str]]:
    """Functions, and methods by their names."""
    f = torch.nn.functional
    table = {f.relu: relu, torch.relu: relu, f.relu_: lambda t, x: relu(t, x, True), f.dropout: dropout,
             **dict.fromkeys((f.max_pool2d, f.max_pool3d, torch.max_pool2d, torch.max_pool3d), max_pool),
             **dict.fromkeys((f.avg_pool2d, f.avg_pool3d), avg_pool),
             **dict.fromkeys((f.adaptive_avg_pool2d, f.adaptive_avg_pool3d), adaptive("avgpool")),
             **dict.fromkeys((f.adaptive_max_pool2d, f.adaptive_max_pool3d), adaptive("maxpool")),
             f.interpolate: upsample, torch.mean: mean, torch.cat: concat, torch.flatten: reshape, torch.reshape: reshape,
             torch.squeeze: reshape, torch.unsqueeze: reshape, f.log_softmax: log_softmax,
             torch.log_softmax: log_softmax, operator.add: add, torch.add: add,
             operator.iadd: lambda t, x, y: add(t, x, y, in_place=True),
             "add": add, "add_": lambda t, x, y: add(t, x, y, in_place=True), "relu": relu,
             f.gelu: gelu, f.leaky_relu: leaky_relu, f.silu: activation("silu"), f.relu6: activation("relu6"),
             f.hardswish: activation("hardswish"), torch.tanh: activation("tanh"), f.tanh: activation("tanh"),
             torch.sigmoid: activation("sigmoid"), f.sigmoid: activation("sigmoid"), "tanh": activation("tanh"),
             "sigmoid": activation("sigmoid"), torch.mul: mul, operator.mul: mul, "mul": mul,
             operator.imul: lambda t, x, y: mul(t, x, y, in_place=True),
             "mul_": lambda t, x, y: mul(t, x, y, in_place=True),
             "relu_": lambda t, x: relu(t, x, True), "mean": mean, "contiguous": same, "log_softmax": log_softmax}
    reshapes = ("view", "reshape", "flatten", "squeeze", "unsqueeze")
    table.update((name, reshape) for name in reshapes)
    # Of torch.export, by the names of their schemas.
    table.update((f"aten::{name}", table[name]) for name in ("add", "add_", "mul", "mul_", "relu", "relu_", "tanh",
                                                             "sigmoid", "mean", "contiguous", "log_softmax",
                                                             *reshapes))
    table.update((f"aten::{name}", activation(name)) for name in ("silu", "relu6", "hardswish"))
    table.update((f"aten::{name}_", lambda t, x, name=name: activation(name)(t, x, True))
                 for name in ("silu", "relu6", "hardswish"))
    table.update({"aten::gelu": gelu, "aten::leaky_relu": leaky_relu,
                  "aten::leaky_relu_": lambda t, x, slope=0.01: leaky_relu(t, x, slope, True)})
    table.update({"aten::dropout": dropout, "aten::dropout_": lambda t, x, p, training: dropout(t, x, p, training, True),
                  "aten::cat": concat, "aten::alias": same, "aten::clone": same})
    for n, mode in ((2, "bilinear"), (3, "trilinear")):
        table.update({f"aten::upsample_nearest{n}d": upsample,
                      f"aten::upsample_{mode}{n}d": lambda t, x, size, corners, scale=None, mode=mode: upsample(
                          t, x, size, scale, mode, corners),
                      f"aten::max_pool{n}d": max_pool, f"aten::avg_pool{n}d": avg_pool,
                      f"aten::adaptive_avg_pool{n}d": adaptive("avgpool"),
                      f"aten::adaptive_max_pool{n}d": adaptive("maxpool")})
    return table


# ---- from a module to layers -----------------------------------------------------------------------------------------


def is_frozen(module: Any) -> bool:
    return not any(one.requires_grad for one in module.parameters())


def translate(t: Translation, node: Any, modules: Mapping[type, Any], functions: Mapping[Any, Any]) -> str:
    from torch.fx.node import map_arg
    args, kwargs = (map_arg(given, lambda one: one if "shape" in one.meta else one.meta["value"])
                    for given in (node.args, node.kwargs))
    if not node.meta["module"]:
        t.expect(node.op != "get_attr", "a tensor of a module, as a value; expected operations on the input alone")
        target = node.target._schema.name if hasattr(node.target, "_schema") else node.target
        t.expect(target in functions, "no layer does that; needed: a layer's type in vdnn, or another operation")
        try:
            return functions[target](t, *args, **kwargs)
        except TypeError as error:
            raise t.refuse(f"its arguments: {error}") from error
    module = t.modules[node.meta["module"]]
    t.expect(type(module) in modules, "no layer does that; needed: a layer's type in vdnn, or another module")
    t.expect(module.training or not t.is_training or is_frozen(module),
             "it is in evaluation mode; expected that all that is trained is not: module.train()")
    return modules[type(module)](t, args[0], module)


def reached(layers: list[dict[str, Any]], last: str) -> list[dict[str, Any]]:
    """Those that the last one reads, directly or not."""
    wanted, kept = {last}, []
    for layer in reversed(layers):
        if layer["name"] in wanted:
            kept.append(layer)
            wanted.update(layer["from"] if isinstance(layer["from"], list) else [layer["from"]])
    return kept[::-1]


def from_torch(module: Any, example: Any, *, name: str | None = None, training: Mapping[str, Any] | None = None,
               loss: str = "softmax_loss") -> Model:
    """The network of a module that classifies pictures or volumes, with its weights, and a softmax loss at its end; or another
    loss, over what it returns: "mse" or "bce".

        model = vdnn.from_torch(module, torch.zeros(64, 3, 224, 224), training={"lr": 0.01})
        with vdnn.Session(model, budget="2GiB") as session: ...
        module.load_state_dict({name: torch.from_numpy(value) for name, value in session.state_dict().items()})

    `example` is a batch of its input, of which the shape counts. Parameters have the module's names. The
    weights are those that the module has when a session is made. `training` has the keys of a network's file;
    its presets are a rate of 0.01 and a momentum of 0.9. vdnn.Error of an operation that no layer does.
    """
    import torch

    if getattr(example, "ndim", 0) not in (4, 5):
        raise Error("BAD_INPUT", "an example that is no tensor of batch, channels, height, width, nor one of volumes")
    graph = trace(module, example)
    t, modules, functions = Translation(module), module_table(torch.nn), function_table(torch)
    last = None
    for t.node in graph.nodes:
        if t.node.meta.get("given"):
            continue
        if t.node.op == "placeholder":
            t.expect(not t.value_of or not t.node.users, "a second input; expected one")
            t.value_of[t.node] = "input"
        elif t.node.op == "output":
            last = t.node.args[0]
            t.expect(last in t.value_of if not isinstance(last, (list, tuple, dict)) else False,
                     "it returns several values; expected its logits alone, without auxiliary heads")
            t.expect(len(t.shape(last)) == 2 or loss != "softmax_loss", f"it returns a value of shape {t.shape(last)}; expected (batch, classes)")
        elif "shape" in t.node.meta:
            t.value_of[t.node] = translate(t, t.node, modules, functions)
        else:
            value = t.node.meta["value"]
            t.expect(not isinstance(value, (list, tuple)) or isinstance(value, torch.Size)
                     or all(user.op == "output" for user in t.node.users),
                     "it makes several values; needed: a layer's type in vdnn, or another operation")
    layers = reached(t.layers, t.value_of[last])
    names = {layer["name"] for layer in layers}
    last_name = next(one for one in ("loss", "softmax_loss", "loss_") if one not in names)
    layers.append({"name": last_name, "type": loss, "from": t.value_of[last]})
    batch, *sizes = example.shape
    sides = ("channels", "height", "width") if len(sizes) == 3 else ("channels", "depth", "height", "width")
    classes = {"classes": t.shape(last)[1]} if loss == "softmax_loss" else {}
    return Model(name or type(module).__name__, layers, batch=batch, **classes,
                 input=dict(zip(sides, sizes)), training=dict(training or {}),
                 weights={key: value for key, value in t.weights.items() if key.rpartition(".")[0] in names})
