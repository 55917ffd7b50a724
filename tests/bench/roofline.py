"""Where a step's time goes, and what could be gained at most, for bench.py: each layer and pass of each network against
what the machine reaches.

The least time of a pass is that of its arithmetic at the rate of the library's product in the type of the maps, or that of
its bytes at the rate of a copy, whichever is longer: its roofline. What a pass would gain is its time above that. Winograd's
and FFT's passes do less arithmetic than they count, and maps that stay in a cache move fewer bytes: they are below their
least time, and gain nothing. All is measured alone, with whatever else the machine does.
"""
import collections
import json
import os
import re

# The batch of each network, and the network.
NETWORKS = {
    "lenet": 64, "cifar_cnn": 64, "alexnet": 64, "overfeat": 16, "vgg16": 16, "googlenet": 16, "squeezenet": 16,
    "inception_v3": 8, "densenet121": 8, "resnet50": 16, "resnext50": 8, "mobilenet": 16, "mobilenet_v2": 16,
    "blood_cells": 32, "unet": 1, "gpt2_124m": 1, "lstm_char": 32,
}
DTYPES = ("f32", "bf16")
GAINS = 10  # layers of a network that are listed

# The classes of a step's time, and the types of their layers; all other types are pointwise.
CLASSES = {
    "product": ("conv", "conv_transpose", "fc", "lstm", "attention", "additive_attention", "sampled_softmax"),
    "norm": ("batchnorm", "layernorm", "rmsnorm", "groupnorm", "instancenorm", "lrn"),
    "pool": ("maxpool", "avgpool", "global_avgpool", "upsample"),
    "copy": ("convert", "concat", "flatten", "slice", "to_sequence", "embedding"),
}
COLUMNS = ("product", "grouped", "norm", "pointwise", "pool", "copy", "update")


def class_of(layer):
    groups = re.search(r"\bgroups=(\d+)", layer["signature"])
    if groups is not None and groups[1] != "1":
        return "grouped"
    return next((name for name, types in CLASSES.items() if layer["type"] in types), "pointwise")


def passes_of(layers, peaks):
    """A row for each pass that layers of one signature have, and for their updates."""
    rows = {}
    for layer in layers["layers"]:
        for name, entry in layer["passes"].items():
            fastest = min(entry["algorithms"], key=lambda row: row["seconds"])
            row = rows.setdefault((layer["signature"], name), dict(
                layer=layer["name"], of=class_of(layer), what=name, algorithm=fastest["algorithm"], count=0,
                seconds=fastest["seconds"], flops=entry["flops"], bytes=entry["bytes"],
                least=max(entry["flops"] / peaks[layers["dtype"]], entry["bytes"] / peaks["copy"])))
            row["count"] += 1
        if layer["update_seconds"] > 0:
            rows[layer["name"], "update"] = dict(layer=layer["name"], of="update", what="update", algorithm="native",
                                                 count=1, seconds=layer["update_seconds"], flops=0, bytes=0,
                                                 least=layer["update_seconds"])
    for row in rows.values():
        row["gain"] = row["count"] * max(0, row["seconds"] - row["least"])
    return list(rows.values())


def totals_of(layers, peaks):
    rows = passes_of(layers, peaks)
    seconds = sum(row["count"] * row["seconds"] for row in rows)
    shares = collections.Counter()
    for row in rows:
        shares[row["of"]] += row["count"] * row["seconds"] / seconds
    return dict(network=layers["model"], batch=layers["batch"], dtype=layers["dtype"], seconds=seconds, shares=shares,
                flops=sum(row["count"] * row["flops"] for row in rows), rows=rows,
                gain=sum(row["gain"] for row in rows) / seconds)


def measure(run, options, say):
    """Every network in every type; the machine's peaks are the best of all runs."""
    measured, peaks = [], dict(f32=0, bf16=0, copy=0)
    for name, batch in NETWORKS.items():
        for dtype in DTYPES:
            say(f"roofline: {name}, {dtype}")
            profile = os.path.join(options.out, f"roofline-{name}-{dtype}.profile")
            if os.path.exists(profile):
                os.remove(profile)
            command = [os.path.join(options.bench, "bench_layers"), f"models/{name}.yaml", str(batch), profile, dtype]
            measured.append(json.loads(run(command)[0]))
            for key in DTYPES:
                peaks[key] = max(peaks[key], measured[-1]["product_flops_per_second"][key])
            peaks["copy"] = max(peaks["copy"], measured[-1]["copy_bytes_per_second"])
    return dict(peaks=peaks, networks=[totals_of(layers, peaks) for layers in measured])


def shares_text(row):
    return " ".join(f"{100 * row['shares'][name]:9.1f}" for name in COLUMNS)


def lines(result):
    peaks = result["peaks"]
    yield (f"the machine: products {peaks['f32'] / 1e9:.0f} GFLOP/s in f32, {peaks['bf16'] / 1e9:.0f} in bf16; "
           f"copies {peaks['copy'] / 1e9:.1f} GB/s, read and written; shares of a step in %")
    yield f"{'network':14} {'batch':>5} {'dtype':5} {'ms':>8} {'GFLOP/s':>8} {' '.join(f'{name:>9}' for name in COLUMNS)} {'above':>9}"
    for row in result["networks"]:
        yield (f"{row['network']:14} {row['batch']:5} {row['dtype']:5} {1e3 * row['seconds']:8.1f} "
               f"{row['flops'] / row['seconds'] / 1e9:8.0f} {shares_text(row)} {100 * row['gain']:9.1f}")
    for network in result["networks"]:
        yield ""
        yield f"{network['network']}, batch {network['batch']}, {network['dtype']}: what would gain most, in % of the step"
        for row in sorted(network["rows"], key=lambda row: -row["gain"])[:GAINS]:
            yield (f"{100 * row['gain'] / network['seconds']:6.1f} {row['layer'] + ' x' + str(row['count']):32} {row['what']:16} "
                   f"{row['algorithm']:14} {1e3 * row['seconds']:8.2f} ms {row['flops'] / row['seconds'] / 1e9:6.0f} GFLOP/s "
                   f"{row['bytes'] / row['seconds'] / 1e9:6.1f} GB/s")
