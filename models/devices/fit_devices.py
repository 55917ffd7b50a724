#!/usr/bin/python3
"""Fits the convolutions of device models to tests/reference/conv-times.csv, or their products to product-times.csv.

    models/devices/fit_devices.py --costs PROGRAM --precision P [--folds] [--ablate] [--leave-card-out] [--products | --no-winograd]
                         DEVICE...
    models/devices/fit_devices.py --costs PROGRAM --precision P [--folds] [--ablate] --profiles FILE,... [--check] DEVICE

PROGRAM is build/release/tests/bench/bench_cost. Peaks, launch cost and what is not fitted are those of the device models
(models/devices/). The rates are common to all DEVICEs, relative to the peaks of each. Two thirds of each device's shapes
are fitted, every third is kept back; the errors of both are printed, then the section of a device model. --folds keeps each third
back in turn. --ablate fits once more without each term of the model, in the same folds. --leave-card-out predicts each
DEVICE from the others. --profiles takes the convolutions of profiles that were measured on the card (vdnnrun --profile), by
algorithm; with --check nothing is fitted, and it is an error if the device model as it is is farther off than 15 % for half
of the rows that were kept back. The search is deterministic.
"""
import argparse
import csv
import math
import os
import re
import sys

sys.dont_write_bytecode = True  # nothing is left behind in this folder

from costs import (ALGORITHMS, Costs, factors_of, fastest, FOLDS, folds_of, PASSES, product_of,  # noqa: E402
                   shape_of, SHIPPED_FOLD, timed_algorithms)
from fitting import damped, descend, spread  # noqa: E402

LEAST_TILE = 32  # of a product, in layers/sim/cost.c
FARTHEST = 0.15  # that half of what was kept back may be off
DAMPED_FROM = 0.2  # of convolutions; with 0.1 more of them are off by a third and more
SOURCE = "deepbench"  # where it has a card, the others are left out, for checks
FORWARD, DATA, FILTER = (("forward",), ("backward_data",), ("backward_filter",))
MAPS = FORWARD + DATA
PRODUCTS = ("implicit_gemm", "implicit_precomp_gemm")
TRANSFORMS = ("winograd", "winograd_nonfused")
SOME = ("winograd_nonfused",)
FFTS = ("fft", "fft_tiling")
# What no timing tells: in backward implicit_gemm is slower than the other by as much as on titan-x-maxwell.
LEAN = {"backward_data": 0.7, "backward_filter": 0.75}

# A parameter: its name, the rates that share it (algorithms, passes, key), first value, range.
TABLE = [
    ("products forward", ("implicit_precomp_gemm",), FORWARD, "efficiency", 0.8, 0.05, 1),
    ("products without workspace forward", ("implicit_gemm",), FORWARD, "efficiency", 0.4, 0.05, 1),
    ("products backward data", ("implicit_precomp_gemm",), DATA, "efficiency", 0.7, 0.05, 1),
    ("products backward filter", ("implicit_precomp_gemm",), FILTER, "efficiency", 0.65, 0.05, 1),
    ("fill forward", PRODUCTS, FORWARD, "fill", 12, 0, 400),
    ("fill backward data", PRODUCTS, DATA, "fill", 40, 0, 400),
    ("fill backward filter", PRODUCTS, FILTER, "fill", 100, 0, 1000),
    ("narrow forward", PRODUCTS, FORWARD, "narrow", 0.85, 0.3, 1),
    ("narrow backward data", PRODUCTS, DATA, "narrow", 0.8, 0.3, 1),
    ("narrow backward filter", PRODUCTS, FILTER, "narrow", 0.9, 0.3, 1),
    ("alone", PRODUCTS, PASSES, "alone", 0.8, 0.3, 1),
    ("transfers backward data", PRODUCTS, DATA, "transfers", 3.5, 0, 20),
    ("reloads backward filter", PRODUCTS, FILTER, "reloads", 0.05, 0.001, 16),
    ("skipped", PRODUCTS, DATA, "skipped", 0.5, 0, 1),
    ("overlap", PRODUCTS, PASSES, "overlap", 0.3, 0, 1),
    ("memory", ALGORITHMS, PASSES, "memory_efficiency", 0.8, 0.1, 0.95),
    ("winograd", ("winograd",), MAPS, "efficiency", 0.6, 0.1, 1),
    ("winograd_nonfused", SOME, MAPS, "efficiency", 0.6, 0.1, 1),
    ("winograd_nonfused backward filter", SOME, FILTER, "efficiency", 0.5, 0.1, 1),
    ("winograd fill", TRANSFORMS, PASSES, "fill", 16, 0, 200),
    ("winograd narrow", TRANSFORMS, PASSES, "narrow", 0.8, 0.3, 1),
    ("winograd transfers", SOME, MAPS, "transfers", 1.6, 0, 20),
    ("winograd transfers backward filter", SOME, FILTER, "transfers", 1.5, 0, 20),
    ("fft", ("fft",), PASSES, "efficiency", 0.8, 0.1, 1),
    ("fft_tiling", ("fft_tiling",), MAPS, "efficiency", 0.8, 0.1, 1),
    ("fft overlap", FFTS, PASSES, "overlap", 0.5, 0, 1),
    ("fft narrow", FFTS, PASSES, "narrow", 0.9, 0.3, 1),
    ("fft fill", FFTS, PASSES, "fill", 50, 0, 400),
    ("fft transfers", ("fft",), MAPS, "transfers", 3, 0, 20),
    ("fft transfers backward filter", ("fft",), FILTER, "transfers", 5, 0, 20),
    ("fft_tiling transfers", ("fft_tiling",), MAPS, "transfers", 4, 0, 20),
]
# Algorithms that timings of whole passes do not support: with them the shapes that are kept back are not predicted better.
LEFT_OUT = ("gemm", "fft", "fft_tiling")
# What a profile calls them.
PROFILED = {"cudnn_implicit": "implicit_gemm", "cudnn_precomputed": "implicit_precomp_gemm", "cudnn_fft": "fft",
            "cudnn_fft_tiling": "fft_tiling", "cudnn_winograd": "winograd", "cudnn_winograd_nonfused": "winograd_nonfused"}
PROFILED_PASSES = {"forward": "fwd", "backward_data": "bwd_data", "backward_filter": "bwd_filter"}
CONVOLUTION = re.compile(
    r"row conv\(out=(\d+),kernel=(\d+)x(\d+),stride=(\d+)x(\d+),pad=(\d+)x(\d+),dilation=1x1,groups=1,bias=\d\)"
    r"x=(\d+)x(\d+)x(\d+)x(\d+):\w+:\w+;\S* (\w+) (\w+) \d+ (\S+) \d+$", re.M)
# Kernels for types smaller than f32 gather in backward data, where a tile alone on its multiprocessor waits longer.
HALVES = ("f16", "bf16")
OF_HALVES = {"alone": [("alone forward and backward filter", PRODUCTS, FORWARD + FILTER, "alone", 0.8, 0.3, 1),
                       ("alone backward data", PRODUCTS, DATA, "alone", 0.6, 0.3, 1)]}
NONE_OF_HALVES = {"fill": 0}  # what is kept back is predicted as well, or better, without it
KEYS = ("efficiency", "memory_efficiency", "overlap", "narrow", "alone", "fill", "transfers", "skipped", "reloads")
# Without a term: the key's value that leaves it out, of the algorithms that have it.
NEUTRAL = {"fill": 0, "narrow": 1, "alone": 1, "overlap": 1, "skipped": 0, "thin": 0, "reloads": 0}


def shown(key, value, low):
    """What a device model says of a fitted value: a term whose value is at the low end of its range is left out."""
    return value if value > low or key not in NEUTRAL else NEUTRAL[key]


class Row:
    def __init__(self, fields, keep):
        self.device = fields["card"]
        self.shape = shape_of(fields)
        self.direction = fields["pass"]
        self.seconds = float(fields["ms"]) / 1e3
        self.algorithms = timed_algorithms(fields)
        self.fold = keep

    def error(self, times):
        return math.log(fastest(times[self.device][self.shape, False], self.algorithms, self.direction) / self.seconds)


def read_rows(folder, devices, precision):
    """Rows of SOURCE, each with the fold in which its shape is kept back: every third in the order of the shapes."""
    with open(os.path.join(folder, "conv-times.csv"), newline="", encoding="utf-8") as file:
        fields = [f for f in csv.DictReader(file)
                  if f["card"] in devices and f["precision"] == precision and f["source"] == SOURCE]
    rows = []
    for device in devices:
        mine = [f for f in fields if f["card"] == device]
        order = folds_of(mine)
        rows += [Row(f, order[shape_of(f)]) for f in mine]
    return rows


def profile_fields(path):
    """The fields of rows of a profile that are not brief, as of conv-times.csv."""
    with open(path, encoding="utf-8") as file:
        for words in CONVOLUTION.findall(file.read()):
            k, r, s, stride_h, stride_w, pad_h, pad_w, n, c, h, w, each, algorithm, seconds = words
            if algorithm in PROFILED:
                yield dict(n=n, c=c, h=h, w=w, k=k, r=r, s=s, stride_h=stride_h, stride_w=stride_w, pad_h=pad_h, pad_w=pad_w,
                           algorithm=PROFILED[algorithm], ms=1e3 * float(seconds), **{"pass": PROFILED_PASSES[each]})


def read_profiles(paths, device):
    """Of each shape, pass and algorithm the fastest time, in whatever layout, with its bias and ReLU or without."""
    best = {}
    for path in paths:
        for fields in profile_fields(path):
            key = shape_of(fields), fields["pass"], fields["algorithm"]
            if key not in best or fields["ms"] < best[key]["ms"]:
                best[key] = dict(fields, card=device)
    folds = folds_of(best.values())
    return [Row(fields, folds[shape_of(fields)]) for fields in best.values()]


class Fit:
    """The parameters of TABLE on several devices. `fixed` is {key: value} for terms that are left out."""

    def __init__(self, program, rows, precision, fixed=None, without=()):
        self.rows = rows
        fixed = {**(NONE_OF_HALVES if precision in HALVES else {}), **(fixed or {})}
        table = [one for row in TABLE for one in (OF_HALVES.get(row[0], [row]) if precision in HALVES else [row])]
        timed = {algorithm for row in rows for algorithm in row.algorithms}
        left_out = LEFT_OUT if timed == set(ALGORITHMS) else set(ALGORITHMS) - timed
        self.without = (*left_out, *without)
        self.table = [row for row in table if row[3] not in fixed and not set(row[1]) <= set(self.without)]
        self.costs = {}
        for device in sorted({row.device for row in rows}):
            costs = self.costs[device] = Costs(program)
            costs.device(device, precision)
            for key, value in fixed.items():
                costs.rate(PRODUCTS + TRANSFORMS, PASSES, key, value)
            costs.rate(ALGORITHMS, PASSES, "efficiency", 0)
            costs.shapes(sorted({(row.shape, False) for row in rows if row.device == device}))

    def send(self, costs, values):
        for (_, algorithms, passes, key, *_), value in zip(self.table, values):
            kept = [a for a in algorithms if key != "efficiency" or a not in self.without]
            costs.rate(kept, passes, key, value)
            if key == "efficiency" and algorithms == ("implicit_precomp_gemm",) and passes[0] in LEAN:
                costs.rate(("implicit_gemm",), passes, key, value * LEAN[passes[0]])

    def times(self, values):
        for costs in self.costs.values():
            self.send(costs, values)
            costs.ask()
        return {device: costs.collect() for device, costs in self.costs.items()}

    def run(self, rows, rounds):
        def loss_of(values):
            times = self.times(values)
            return sum(damped(row.error(times), DAMPED_FROM) for row in rows) / len(rows)
        return descend([row[4:] for row in self.table], loss_of, rounds)[0]

    def section(self, values):
        """The section of a device model."""
        rates = {}
        for (_, algorithms, passes, key, _, low, _), value in zip(self.table, values):
            value = shown(key, value, low)
            for algorithm in algorithms:
                for each in passes:
                    rates.setdefault((algorithm, each), {})[key] = value
                    if key == "efficiency" and algorithm == "implicit_precomp_gemm" and each in LEAN:
                        rates.setdefault(("implicit_gemm", each), {})[key] = value * LEAN[each]
        lines = []
        for algorithm in [name for name in PRODUCTS + TRANSFORMS + FFTS if name not in self.without]:
            lines.append(f"  {algorithm}:")
            for each in PASSES:
                rate = {"overlap": 0, "alone": 0.7, "fill": 0, "transfers": 0, **rates.get((algorithm, each), {})}
                if "efficiency" in rate:
                    lines.append(f"    {each}: {{{', '.join(f'{key}: {round(rate[key], 4):g}' for key in KEYS if key in rate)}}}")
        return "\n".join(lines)


# Of products: key, first value, range. `thin` and `reloads` are told by timings of products narrower than a tile, and of
# both ways in which factors lie; without them they are 0.
PRODUCT_TABLE = [
    ("efficiency", 0.8, 0.05, 1), ("memory_efficiency", 0.8, 0.5, 0.95), ("overlap", 0.5, 0, 1), ("narrow", 0.9, 0.3, 1),
    ("alone", 0.8, 0.3, 1), ("fill", 20, 0, 1000), ("thin", 0.3, 0.001, 0.9), ("reloads", 0.3, 0.001, 8),
]


class Product:
    """A row of product-times.csv."""

    def __init__(self, fields, fold):
        self.device = fields["card"]
        self.sizes = factors_of(fields)
        self.seconds = float(fields["ms"]) / 1e3
        self.fold = fold

    def error(self, times):
        return math.log(times[self.device][self.sizes] / self.seconds)


def read_products(folder, devices, precision):
    with open(os.path.join(folder, "product-times.csv"), newline="", encoding="utf-8") as file:
        fields = [f for f in csv.DictReader(file) if f["card"] in devices and f["precision"] == precision]
    if any(f["source"] == SOURCE for f in fields):
        fields = [f for f in fields if f["source"] == SOURCE]
    folds = folds_of(fields, product_of)
    return [Product(f, folds[product_of(f)]) for f in fields]


class ProductFit:
    """The parameters of PRODUCT_TABLE on several devices. `fixed` as of Fit."""

    def __init__(self, program, rows, precision, fixed=None):
        self.rows = rows
        fixed = fixed or {}
        told = {"thin": any(min(row.sizes[:2]) < LEAST_TILE for row in rows), "reloads": len({row.sizes[3:] for row in rows}) > 1}
        self.table = [row for row in PRODUCT_TABLE if row[0] not in fixed and told.get(row[0], True)]
        self.costs = {}
        for device in sorted({row.device for row in rows}):
            costs = self.costs[device] = Costs(program)
            costs.device(device, precision)
            for key, value in {"transfers": 0, "thin": 0, "reloads": 0, **fixed}.items():
                costs.send("product_rate", key, value)
        self.sizes = {device: sorted({row.sizes for row in rows if row.device == device}) for device in self.costs}

    def times(self, values):
        for costs in self.costs.values():
            for (key, *_), value in zip(self.table, values):
                costs.send("product_rate", key, value)
        return {device: dict(zip(self.sizes[device], costs.products(self.sizes[device])))
                for device, costs in self.costs.items()}

    def run(self, rows, rounds):
        def loss_of(values):
            times = self.times(values)
            return sum(damped(row.error(times)) for row in rows) / len(rows)
        return descend([row[1:] for row in self.table], loss_of, rounds)[0]

    def section(self, values):
        pairs = [f"{key}: {round(shown(key, value, low), 4):g}" for (key, _, low, _), value in zip(self.table, values)]
        return "\n".join(f"  {pair}" for pair in [*pairs, "transfers: 0"])


def relative(rows, times):
    return [math.expm1(row.error(times)) for row in rows]


def tell(title, errors):
    half, most, bias = spread(errors)
    print(f"{title:44s} {len(errors):5d} rows  half within {half:6.1%}  nine tenths {most:6.1%}  median {bias:+6.1%}", flush=True)


def folded(make, rows, rounds, folds=range(FOLDS)):
    """Errors of rows, each predicted from the other folds."""
    found = []
    for fold in folds:
        fit = make()
        values = fit.run([row for row in rows if row.fold != fold], rounds)
        found += relative([row for row in rows if row.fold == fold], fit.times(values))
    return found


def ablate(args, rows, kind):
    def maker(**options):
        return lambda: kind(args.costs, rows, args.precision, **{**args.leaves, **options})
    keys = {key for row in (PRODUCT_TABLE if args.products else TABLE) for key in row if key in NEUTRAL}
    tell("the whole model, each third from the others", folded(maker(), rows, args.rounds))
    for key, value in NEUTRAL.items():
        if key in keys:
            tell(f"without {key}", folded(maker(fixed={key: value}), rows, args.rounds))
    if not args.products and not args.leaves:
        tell("without Winograd", folded(maker(without=TRANSFORMS), rows, args.rounds))


def leave_card_out(args, rows, kind):
    for device in args.devices:
        others = [row for row in rows if row.device != device]
        fit = kind(args.costs, rows, args.precision, **args.leaves)
        values = fit.run(others, args.rounds)
        tell(f"{device}, from the others", relative([row for row in rows if row.device == device], fit.times(values)))


def check(args, rows):
    """Of the device model as it is."""
    device, = args.devices
    costs = Costs(args.costs)
    costs.device(device, args.precision)
    costs.shapes(sorted({(row.shape, False) for row in rows}))
    errors = relative([row for row in rows if row.fold == SHIPPED_FOLD], {device: costs.times()})
    tell(f"{device}, kept back", errors)
    return int(spread(errors)[0] > FARTHEST)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--costs", required=True)
    parser.add_argument("--data", default="tests/reference")
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--folds", action="store_true", help="keeps each third of the shapes back in turn")
    parser.add_argument("--ablate", action="store_true", help="fits without each term, in the same folds")
    parser.add_argument("--leave-card-out", action="store_true", help="predicts each device from the others")
    parser.add_argument("--no-winograd", action="store_true", help="where the library did not take it")
    parser.add_argument("--profiles", metavar="FILE,...", help="of convolutions, measured on the one DEVICE")
    parser.add_argument("--check", action="store_true", help="whether the device model is near those profiles")
    parser.add_argument("--products", action="store_true", help="fits matrix products, not convolutions")
    parser.add_argument("devices", nargs="+", metavar="DEVICE")
    args = parser.parse_args()
    args.leaves = {"without": TRANSFORMS} if args.no_winograd else {}
    read, kind = (read_products, ProductFit) if args.products else (read_rows, Fit)
    rows = (read_profiles(args.profiles.split(","), *args.devices) if args.profiles else
            read(args.data, args.devices, args.precision))
    if not rows:
        print(f"fit_devices: no timing of {' '.join(args.devices)} in {args.precision}", file=sys.stderr)
        return 3
    if args.check:
        return check(args, rows)
    fit = kind(args.costs, rows, args.precision, **args.leaves)
    values = fit.run([row for row in rows if row.fold != SHIPPED_FOLD], args.rounds)
    times = fit.times(values)
    for device in args.devices:
        mine = [row for row in rows if row.device == device]
        tell(f"{device}, fitted", relative([row for row in mine if row.fold != SHIPPED_FOLD], times))
        tell(f"{device}, kept back", relative([row for row in mine if row.fold == SHIPPED_FOLD], times))
    if args.folds:
        tell("each third from the others", folded(lambda: kind(args.costs, rows, args.precision, **args.leaves), rows, args.rounds))
    if args.ablate:
        ablate(args, rows, kind)
    if args.leave_card_out:
        leave_card_out(args, rows, kind)
    print(fit.section(values))
    return 0


if __name__ == "__main__":
    sys.exit(main())
