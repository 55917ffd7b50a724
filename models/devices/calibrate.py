#!/usr/bin/python3
"""Fits the cost model of convolutions to times measured on a card.

    models/devices/calibrate.py --costs PROGRAM [--data DIR] [--rounds N] [--folds] [--leave-out] [--models DIR]
    models/devices/calibrate.py --costs PROGRAM [--data DIR] --check FILE

PROGRAM is build/release/tests/bench/bench_cost, which evaluates the formulas of
layers/sim/cost.c; nothing of them is repeated here. Two thirds of the shapes are fitted, the
others are predicted; the errors of both are printed by source and pass, and the rates found as the
section `convolution` of a device model. With --folds that is done three times, with another third
kept back each time, so that every shape is predicted once. With --leave-out each source in turn is
predicted from the others; the device model of each such fit goes to the folder of --models, to see
what it makes of the networks. With --check it is an error if FILE, a device model, is farther off than
15 % for half of the rows that were kept back. The search is deterministic.
"""
import argparse
import csv
import math
import os
import re
import statistics
import sys

sys.dont_write_bytecode = True  # nothing is left behind in this folder

from costs import ALGORITHMS, Costs, DIRECTIONS, fastest, FOLDS, PASSES, SHIPPED_FOLD  # noqa: E402
from fitting import damped, descend  # noqa: E402

CARD = dict(flops=7e12, bytes=336e9, elementwise=227e9, launch=5e-6, multiprocessors=24)

# What may be chosen, by version of the library. What needs no workspace is never the fastest.
FOUR = ("implicit_precomp_gemm", "gemm", "fft", "fft_tiling")
THREE = ("implicit_precomp_gemm", "gemm", "fft")
FIVE = FOUR + ("winograd", "winograd_nonfused")
# The second version had neither transforms nor kernels of their own for backward: it stands in for
# what needs no workspace.
TWO = ("implicit_gemm",)

# source (how it begins), library (how it begins): name, algorithms, whether biases are in the times
SOURCES = (
    ("vDNN", "cuDNN4", "vDNN figure 6", FOUR, True),
    ("soumith/convnet-benchmarks torch7/layerwise", "cuDNN-R3", "convnet-benchmarks R3", THREE, True),
    ("soumith/convnet-benchmarks README layer-wise", "cuDNN-R2", "convnet-benchmarks R2", TWO, True),
    ("baidu-research/DeepBench", "cuDNN", "DeepBench", FIVE, False),
)
# Of all rows of a source together. DeepBench has most of them; version 3 was slower than what is
# wanted here.
WEIGHTS = {"vDNN figure 6": 3.0, "convnet-benchmarks R3": 0.3, "convnet-benchmarks R2": 1.0, "DeepBench": 3.0}
CHOICES_OF = "vDNN figure 6"  # figure 5 is of the same network
CHOICES = 3.0  # of all choices together, where one is 2 % too slow

# A parameter: the rates that share it (algorithms, passes, key), first value, and range.
TABLE = [
    # Products without transforms.
    (("implicit_precomp_gemm", "gemm"), ("forward",), "efficiency", 1.0, 0.2, 1.2),
    (("implicit_precomp_gemm",), ("backward_data",), "efficiency", 0.8, 0.2, 1.2),
    (("implicit_precomp_gemm",), ("backward_filter",), "efficiency", 0.75, 0.2, 1.2),
    # Version 4 reached 3.1 to 3.5 TFLOP/s here; of backward only the sum of both passes was measured.
    (("implicit_gemm",), ("forward",), "efficiency", 0.48, 0.44, 0.5),
    (("implicit_gemm",), ("backward_data", "backward_filter"), "efficiency", 0.45, 0.44, 0.5),
    (("implicit_gemm", "implicit_precomp_gemm", "gemm"), ("forward",), "fill", 18, 0, 200),
    (("implicit_gemm", "implicit_precomp_gemm"), ("backward_data",), "fill", 24, 0, 200),
    (("implicit_gemm", "implicit_precomp_gemm", "gemm"), ("backward_filter",), "fill", 24, 0, 1000),
    (("implicit_gemm", "implicit_precomp_gemm", "gemm"), ("forward",), "narrow", 0.9, 0.3, 1),
    (("implicit_gemm", "implicit_precomp_gemm"), ("backward_data",), "narrow", 0.9, 0.3, 1),
    (("implicit_gemm", "implicit_precomp_gemm", "gemm"), ("backward_filter",), "narrow", 0.9, 0.3, 1),
    (("implicit_gemm", "implicit_precomp_gemm", "gemm"), PASSES, "alone", 0.7, 0.3, 1),
    (("implicit_gemm", "implicit_precomp_gemm"), ("backward_data",), "transfers", 4, 0, 20),
    (("implicit_gemm", "implicit_precomp_gemm", "gemm"), ("forward",), "overlap", 0.5, 0, 1),
    (("implicit_gemm", "implicit_precomp_gemm"), ("backward_data", "backward_filter"), "overlap", 0.3, 0, 1),
    # Fourier transforms.
    (("fft", "fft_tiling"), PASSES, "efficiency", 0.77, 0.3, 1.3),
    (("fft",), ("forward", "backward_data"), "transfers", 2.9, 0.5, 20),
    (("fft",), ("backward_filter",), "transfers", 5.3, 0.5, 20),
    (("fft_tiling",), ("forward", "backward_data"), "transfers", 3.6, 0.5, 20),
    (("fft", "fft_tiling"), PASSES, "fill", 55, 0, 200),
    (("fft", "fft_tiling"), PASSES, "narrow", 0.9, 0.3, 1),
    (("fft", "fft_tiling"), PASSES, "overlap", 0.5, 0, 1),
    # Winograd.
    (("winograd",), ("forward", "backward_data"), "efficiency", 0.8, 0.2, 1.3),
    (("winograd_nonfused",), ("forward", "backward_data"), "efficiency", 0.8, 0.2, 1.3),
    (("winograd_nonfused",), ("backward_filter",), "efficiency", 0.8, 0.2, 1.3),
    (("winograd",), PASSES, "fill", 24, 0, 200),
    (("winograd_nonfused",), PASSES, "fill", 24, 0, 200),
    (("winograd", "winograd_nonfused"), PASSES, "narrow", 0.9, 0.3, 1),
    (("winograd", "winograd_nonfused"), PASSES, "alone", 0.7, 0.3, 1),
    (("winograd", "winograd_nonfused"), PASSES, "overlap", 0.3, 0, 1),
    (("winograd_nonfused",), ("forward", "backward_data"), "transfers", 2, 0, 20),
    (("winograd_nonfused",), ("backward_filter",), "transfers", 2, 0, 20),
]
# Version 4 has no tiles for backward filter (cudnnConvolutionBwdFilterAlgo_t).
NOT_OFFERED = ("fft_tiling", "backward_filter")
# What the rows do not tell apart.
KEYS = ("efficiency", "memory_efficiency", "overlap", "narrow", "alone", "fill", "transfers")
DEFAULTS = {"alone": 0.7, "transfers": 0.0}
FIXED = [(ALGORITHMS, PASSES, "memory_efficiency", 290 / 336)]


class Fitted(Costs):
    """The cost model with the parameters of TABLE."""

    def __init__(self, program, shapes):
        super().__init__(program)
        self.send("card", *CARD.values())
        for algorithms, passes, key, value in FIXED:
            self.rate(algorithms, passes, key, value)
        for key, value in DEFAULTS.items():
            self.rate(ALGORITHMS, PASSES, key, value)
        self.shapes(shapes)

    def times_of(self, values):
        for (algorithms, passes, key, *_), value in zip(TABLE, values):
            self.rate(algorithms, passes, key, value)
        self.send("rate", *NOT_OFFERED, "efficiency", 0)
        return self.times()


class Choice:
    """The workspace of the fastest algorithm of a shape, in bytes; sizes are read off a drawing."""

    def __init__(self, fields):
        n, c, h, w, k, r, s = (int(fields[name]) for name in ("n", "c", "h", "w", "k", "r", "s"))
        self.shape = (n, c, h, w, k, r, s, 1, 1, r // 2, r // 2)
        self.bytes = float(fields["workspace_mb"]) * 2**20

    def gap(self, times):
        """How much slower, in logarithms, an algorithm with that workspace is than the fastest."""
        table = {a: times[(self.shape, True)][a, "forward"] for a in FOUR if (a, "forward") in times[(self.shape, True)]}
        alike = [s for s, b in table.values() if abs(b - self.bytes) <= 5 * 2**20 + 0.02 * self.bytes]
        return math.log(min(alike) / min(s for s, _ in table.values())) if alike else math.inf


class Row:
    def __init__(self, fields, source, algorithms, bias):
        sizes = [int(float(fields[name])) for name in ("n", "c", "h", "w", "k", "r", "s")]
        stride, pad = (int(float(fields[name])) for name in ("stride", "pad"))
        self.shape = (*sizes, stride, stride, pad, pad)
        self.source = source
        self.bias = bias
        self.direction = fields["direction"]
        self.seconds = float(fields["time_ms"]) / 1e3
        named = fields["algorithm_or_library"].partition(":")[2].lower()
        self.algorithms = (named,) if named in ALGORITHMS else algorithms
        self.held_out = False

    def predict(self, times):
        return fastest(times[(self.shape, self.bias)], self.algorithms, self.direction)

    def error(self, times):
        return math.log(self.predict(times) / self.seconds)


LIMIT = 0.15  # of the median error of that third


def read_rows(path):
    rows = []
    with open(path, newline="") as file:
        for fields in csv.DictReader(file):
            for begins, library, source, algorithms, bias in SOURCES:
                if (fields["source"].startswith(begins) and fields["algorithm_or_library"].startswith(library)
                        and fields["direction"] in DIRECTIONS and fields["k"]):
                    rows.append(Row(fields, source, algorithms, bias))
    return rows


def keep_back(rows, fold):
    """The rows to fit, and those that are kept back: every third shape of each source, in the order of the shapes."""
    for source in {row.source for row in rows}:
        shapes = sorted({row.shape for row in rows if row.source == source})
        kept = set(shapes[fold::FOLDS])
        for row in rows:
            if row.source == source:
                row.held_out = row.shape in kept
    return [row for row in rows if not row.held_out], [row for row in rows if row.held_out]


def read_choices(path):
    with open(path, newline="") as file:
        return [Choice(f) for f in csv.DictReader(file) if f["source"].startswith("vDNN") and f["direction"] == "fwd"]


def loss(rows, choices, times):
    total = weight = 0.0
    counts = {}
    for row in rows:
        counts[row.source] = counts.get(row.source, 0) + 1
    for row in rows:
        w = WEIGHTS[row.source] / counts[row.source]
        total += w * damped(row.error(times))
        weight += w
    for choice in choices:
        total += CHOICES * choice.gap(times) / 0.02 / len(choices)
    return total / weight


def fit(costs, rows, choices, rounds):
    return descend([row[3:] for row in TABLE], lambda values: loss(rows, choices, costs.times_of(values)), rounds)


def report(rows, times, title):
    print(f"{title:32s} {'pass':12s} {'rows':>5s} {'median':>8s} {'90 %':>8s} {'bias':>8s}")
    groups = {}
    for row in rows:
        for key in ((row.source, row.direction), (row.source, "all"), ("all", "all")):
            groups.setdefault(key, []).append(math.expm1(row.error(times)))
    for (source, direction), errors in sorted(groups.items(), key=lambda item: (item[0][0] == "all", item[0])):
        sizes = sorted(abs(error) for error in errors)
        print(f"{source:32s} {direction:12s} {len(errors):5d} {statistics.median(sizes):8.1%} "
              f"{sizes[int(0.9 * (len(sizes) - 1))]:8.1%} {statistics.median(errors):+8.1%}")


SECTION_SOURCE = "calibrated: `make calibrate` on times measured on this card with cuDNN 4 and its neighbours"


def section(values):
    """The section `convolution` of a device model."""
    rates = {}
    for (algorithms, passes, key, *_), value in zip(TABLE, values):
        for algorithm in algorithms:
            for each in passes:
                rates.setdefault((algorithm, each), {})[key] = value
    lines = ["convolution:", f'  source: "{SECTION_SOURCE}"', "  basis: fitted"]
    for algorithm in ALGORITHMS:
        lines.append(f"  {algorithm}:")
        for each in PASSES:
            rate = rates.get((algorithm, each), {})
            if "efficiency" in rate and (algorithm, each) != NOT_OFFERED:
                rate["memory_efficiency"] = FIXED[0][3]
                text = ", ".join(f"{key}: {round(rate.get(key, DEFAULTS.get(key)), 4):g}" for key in KEYS)
                lines.append(f"    {each}: {{{text}}}")
    return "\n".join(lines) + "\n"


def send_rates(costs, path):
    """The rates of a device model, as `section` writes them."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().partition("\nconvolution:\n")[2].splitlines()
    algorithm = None
    for line in lines:
        if re.fullmatch(r"  \w+:", line):
            algorithm = line.strip(" :")
        elif match := re.fullmatch(r"    (\w+): {(.*)}", line):
            for pair in match[2].split(", "):
                key, _, value = pair.partition(": ")
                costs.rate((algorithm,), (match[1],), key, float(value))


def write_model(path, shipped, values):
    """The shipped device model with another section of convolutions, without what cuDNN 4 did not have."""
    with open(shipped, encoding="utf-8") as file:
        head = file.read().partition("\nconvolution:\n")[0]
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + "\n" + section(values).partition("  winograd:\n")[0])


def check(costs, kept, values, path):
    """The rates of a device model in place of those that were found; what it does not have (cuDNN 4 had no Winograd) is
    of the fit, for rows that later versions computed with it."""
    send_rates(costs, path)
    times = costs.times()
    error = statistics.median(abs(math.expm1(row.error(times))) for row in kept)
    with open(path, encoding="utf-8") as file:
        same = section(values).partition("  winograd:\n")[0] in file.read()
    print(f"{path}: half of the rows that were not fitted are within {error:.1%}; its rates are "
          f"{'' if same else 'not '}those of this fit")
    return 0 if error < LIMIT else 1


def fit_folds(costs, rows, choices, rounds):
    errors = []
    for fold in range(FOLDS):
        fitted, kept = keep_back(rows, fold)
        values, _ = fit(costs, fitted, choices, rounds)
        times = costs.times_of(values)
        now = [abs(math.expm1(row.error(times))) for row in kept]
        errors += now
        print(f"fold {fold}: half of {len(now)} rows that were not fitted are within {statistics.median(now):.1%}")
    print(f"all folds: half of {len(errors)} rows, each predicted from the others, are within {statistics.median(errors):.1%}\n")


def leave_out(costs, rows, choices, rounds, models, shipped):
    """The workspaces of figure 5 leave with the times of figure 6, which are of the same network."""
    for source in sorted({row.source for row in rows}):
        others = [row for row in rows if row.source != source]
        values, _ = fit(costs, others, [] if source == CHOICES_OF else choices, rounds)
        times = costs.times_of(values)
        report([row for row in rows if row.source == source], times, "left out")
        if source == CHOICES_OF:
            same = sum(choice.gap(times) <= 0 for choice in choices)
            print(f"figure 5: the workspace of the figure in {same} of {len(choices)} layers")
        print()
        if models:
            os.makedirs(models, exist_ok=True)
            write_model(os.path.join(models, f"without-{source.replace(' ', '-')}.yaml"), shipped, values)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--costs", required=True)
    parser.add_argument("--data", default="tests/reference")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--folds", action="store_true", help="keeps each third of the shapes back in turn")
    parser.add_argument("--leave-out", action="store_true", help="predicts each source from the others")
    parser.add_argument("--models", metavar="DIR", help="gets the device model of each of those fits")
    parser.add_argument("--shipped", default="models/devices/titan-x-maxwell.yaml", help="what those are made from")
    parser.add_argument("--check", metavar="FILE", help="fails where a device model is too far off")
    parser.add_argument("--rows", action="store_true", help="prints every row")
    return parser.parse_args()


def main():
    args = parse_arguments()
    path = os.path.join(args.data, "titanx-conv-times.csv")
    if not os.path.exists(path):
        print(f"calibrate: {path} is missing: nothing to fit", file=sys.stderr)
        return 3
    rows = read_rows(path)
    choices = read_choices(os.path.join(args.data, "titanx-conv-workspaces.csv"))
    shapes = sorted({(row.shape, row.bias) for row in rows} | {(choice.shape, True) for choice in choices})
    costs = Fitted(args.costs, shapes)
    fitted, kept = keep_back(rows, SHIPPED_FOLD)
    values, _ = fit(costs, fitted, choices, args.rounds)
    times = costs.times_of(values)
    report(fitted, times, "fitted")
    print()
    report(kept, times, "held out")
    same = sum(choice.gap(times) <= 0 for choice in choices)
    print(f"\nfigure 5: the fastest algorithm has the workspace of the figure in {same} of {len(choices)} layers\n")
    if args.check:
        return check(costs, kept, values, args.check)
    if args.rows:
        print_rows(rows, times)
    if args.folds:
        fit_folds(costs, rows, choices, args.rounds)
    if args.leave_out:
        leave_out(costs, rows, choices, args.rounds, args.models, args.shipped)
    print(section(values), end="")
    return 0


def print_rows(rows, times):
    for row in rows:
        table = times[(row.shape, row.bias)]
        best = [min((table[a, e][0], a) for a in row.algorithms if (a, e) in table) for e in DIRECTIONS[row.direction]]
        picks = " ".join(f"{a}:{seconds * 1e3:.3f}" for seconds, a in best)
        print(f"{row.source:22s} {str(row.shape):40s} {row.direction:10s} {row.seconds * 1e3:9.3f} "
              f"{row.predict(times) * 1e3:9.3f} {math.expm1(row.error(times)):+7.1%} {picks}{' *' if row.held_out else ''}")


if __name__ == "__main__":
    sys.exit(main())
