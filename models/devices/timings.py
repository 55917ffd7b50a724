#!/usr/bin/python3
"""Compares device models with published timings of their cards.

    models/devices/timings.py --costs PROGRAM --report PROGRAM [--data DIR]
                              [--check FILE | --write FILE | --accuracy | --ratios | --rows DEVICE]

Prints the section that stands in models/devices/TIMINGS.md: for each device and precision how far the model's convolutions
and matrix products are from tests/reference/, and the throughput of whole networks, predicted and published. PROGRAM of
--costs is build/release/tests/bench/bench_cost, of --report build/bin/vdnnreport. --check ends with 1 where FILE has
another section, --write puts it there. --accuracy ends with 1 where a device model states another accuracy of its
convolutions than is found. --ratios prints how cards compare with each other, and ends with 1 where half of the pairs are
farther off than RATIO_BAR. --rows lists a device's convolutions, one by one.
"""
import argparse
import csv
import difflib
import functools
import heapq
import itertools
import json
import math
import os
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True  # nothing is left behind in this folder

from costs import Costs, factors_of, fastest, folds_of, product_of, shape_of, SHIPPED_FOLD, timed_algorithms  # noqa: E402
from fitting import spread  # noqa: E402

HEADING = "## Device models against published timings"
# The peaks of a device model, one of which a card must have for a precision of tests/reference/.
PEAKS = {"f32": {"f32_flops_per_second"}, "tf32": {"tf32_flops_per_second"},
         "f16": {"f16_flops_per_second", "bf16_flops_per_second"}}
# A row of a whole network counts from this batch on; below it, stacks measure their own overhead.
LEAST_BATCH = 32
FITTED_SOURCE = "deepbench"
# How far half and nine tenths of the rows may be off, of shapes not fitted to, of LEAST_ROWS and more of a card.
BARS = {shape_of: (0.12, 0.35), product_of: (0.10, 0.30)}
LEAST_ROWS = 50
NEAREST = 2  # shapes that a row is compared with, where the model falls short
RATIO_BAR = 0.15  # how far half of the ratios between two cards may be off
# With twice the peak and twice the values moved in a second, by another card or a type of half the bytes, a stack is at least
# this much faster, if cards are what limits it.
TWICE, LEAST_GAIN = 2, 1.25
SEVERAL = ("v100", "p100", "a100", "h100", "rtx-3090")  # one of each generation, judged together


def read(folder, name):
    with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def models():
    """The names of the device models."""
    return sorted(name[:-5] for name in os.listdir("models/devices") if name.endswith(".yaml"))


def grouped(rows, *keys):
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def table(heads, rows):
    return ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"] + [
        "| " + " | ".join(row) + " |" for row in rows]


def predict_convolutions(costs, rows, device, precision):
    """Adds `predicted`, in ms, or None where the model has no algorithm for the row."""
    costs.device(device, precision)
    costs.shapes(sorted({(shape_of(row), False) for row in rows}))
    times = costs.times()
    for row in rows:
        row["predicted"] = 1e3 * fastest(times[shape_of(row), False], timed_algorithms(row), row["pass"])


def predict_products(costs, rows, device, precision):
    costs.device(device, precision)
    for row, seconds in zip(rows, costs.products([factors_of(row) for row in rows])):
        row["predicted"] = 1e3 * seconds


def errors(rows):
    return [row["predicted"] / float(row["ms"]) - 1 for row in rows]


def kept_rows(rows, key=shape_of):
    """Those whose shapes models/devices/fit_devices.py keeps back from a fit."""
    folds = folds_of(rows, key)
    return [row for row in rows if folds[key(row)] == SHIPPED_FOLD]


def is_fitted(group, rows, key):
    """Whether rates are fitted to these rows: to FITTED_SOURCE's where it has the card, else to all products."""
    sources = {row["source"] for row in rows if all(row[name] == group[0][name] for name in ("card", "precision"))}
    return group[0]["source"] == FITTED_SOURCE or (FITTED_SOURCE not in sources and key is product_of)


def judged(group, rows, key):
    """How far the shapes that were kept back are off, where there were any, and whether that is within the bars; of few
    rows neither."""
    if len(group) < LEAST_ROWS:
        return ["", "", ""]
    fitted = is_fitted(group, rows, key)
    half, most, _ = spread(errors(kept_rows(group, key) if fitted else group))
    is_met = round(half, 2) <= BARS[key][0] and round(most, 2) <= BARS[key][1]  # as printed
    return [*([f"{half:.0%}", f"{most:.0%}"] if fitted else ["", ""]), "met" if is_met else "short"]


def point(row, key):
    """What a row has in common with those that are compared with it, its sizes in logarithms, and its rate likewise."""
    sizes, common = key(row), (row["transposed"],) if key is product_of else ()
    work = math.prod(sizes)
    if key is shape_of:
        sizes, common = sizes[:5], (row["pass"], *sizes[5:9])
        work = math.prod(sizes) * math.prod(common[1:3]) / math.prod(common[3:5])
    return common, tuple(map(math.log, sizes)), math.log(work / float(row["ms"]))


def from_nearest(group, key):
    """Errors of rows, each predicted at the rate of the nearest other shapes of its source: what smoothness alone tells."""
    alike, found = {}, []
    for common, sizes, rate in (point(row, key) for row in group):
        alike.setdefault(common, []).append((sizes, rate))
    for points in alike.values():
        for sizes, rate in points:
            others_of = [other for other in points if other[0] != sizes]
            near = heapq.nsmallest(NEAREST, others_of, lambda other: math.dist(sizes, other[0]))
            if near:
                found.append(math.exp(rate - statistics.fmean(other for _, other in near)) - 1)
    return found


def short_table(groups, key):
    """Of groups that fall short, what the nearest shapes predict."""
    heads = ["short of the bar", "rows", f"from the {NEAREST} nearest shapes: half within", "nine tenths within"]
    lines = []
    for name, group in groups:
        found = from_nearest(group, key)
        half, most, _ = spread(found)
        lines.append([name, str(len(found)), f"{half:.0%}", f"{most:.0%}"])
    return [""] + table(heads, lines) if lines else []


def compare_times(costs, rows, predict, key):
    """A table line for each device, precision and source; rows of cards without a model are counted."""
    lines, short, shipped = [], [], models()
    known = [row for row in rows if row["card"] in shipped]
    for (card, precision, source), group in sorted(grouped(known, "card", "precision", "source").items()):
        predict(costs, group, card, precision)
        half, most, bias = spread(errors(group))
        lines.append([card, precision, source, str(len(group)), f"{half:.0%}", f"{most:.0%}", f"{bias:+.0%}",
                      *judged(group, known, key)])
        if lines[-1][-1] == "short":
            short.append((f"{card}, {precision}, {source}", group))
    bars = f"bar: {BARS[key][0]:.0%}, {BARS[key][1]:.0%}"
    heads = ["device", "precision", "source", "rows", "half within", "nine tenths within", "median error",
             "kept back: half within", "nine tenths within", bars]
    return table(heads, lines) + short_table(short, key) + ["", others(rows, shipped)]


def others(rows, shipped):
    left = grouped([row for row in rows if row["card"] not in shipped], "card")
    names = ", ".join(f"{card} {len(group)}" for (card,), group in sorted(left.items()))
    return f"Rows of cards without a model: {names}." if left else "Every card has a model."


def report_of(report, network, device, precision, batch):
    command = [report, "--model", network, "--device", f"sim:models/devices/{device}.yaml", "--batch", batch,
               "--dtype", precision, "--rules", "paper", "--policies", "base", "--quiet", "--json", "-"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode not in (0, 4):
        raise SystemExit(f"timings: {' '.join(command)}: {run.stderr.strip()}")
    return json.loads(run.stdout)


@functools.lru_cache(maxsize=None)
def step_of(report, network, device, precision, batch):
    """The step of base with the fastest algorithms and as much memory as it takes, in seconds, and the most operations and
    values of maps in a second that the card has for the precision; None where it has no units for that."""
    result = report_of(report, network, device, precision, batch)
    figures = {(figure["section"], figure["key"]): figure.get("value") for figure in result["device"]["figures"]}
    peaks = [value for (_, key), value in figures.items() if key in PEAKS[precision]]
    if not peaks:
        return None
    seconds = next(row for row in result["policies"] if row["algo"] == "p")["oracle_step_seconds"]
    return seconds, max(peaks), figures["memory", "bytes_per_second"] / (2 if precision == "f16" else 4)


def compare_networks(report, rows, fitted):
    """`fitted`: cards that the rates of convolutions are fitted to."""
    shipped, lines, found, refused = models(), [], {}, set()
    known = [row for row in rows if row["card"] in shipped]
    for key, group in sorted(grouped(known, "card", "precision", "network", "batch").items(),
                             key=lambda item: (item[0][:3], int(item[0][3]))):
        card, precision, network, batch = key
        step = step_of(report, network, card, precision, batch)
        if step is None:
            refused.add(f"{card} {precision}")
            continue
        seconds = step[0]
        published = [float(row["images_per_second"]) for row in group]
        ratio = int(batch) / seconds / statistics.median(published)
        stated = f"{min(published):.0f}" if len(group) == 1 else f"{min(published):.0f} to {max(published):.0f}"
        sources = ", ".join(sorted({row["source"] for row in group}))
        lines.append([card, precision, network, batch, stated, f"{int(batch) / seconds:.0f}", f"{ratio:.2f}", sources])
        if int(batch) >= LEAST_BATCH:
            found.setdefault((card, precision), []).append(ratio - 1)
    heads = ["device", "precision", "network", "batch", "published images/s", "predicted", "ratio", "source"]
    unplanned = f"Not planned, as the card has no units for the type: {', '.join(sorted(refused))}."
    return (summary(found, fitted) + [""] + table(heads, lines) + [""] + ([unplanned, ""] if refused else [])
            + [others(rows, shipped)])


def summary(found, fitted):
    """Of the ratios of whole networks, by device and precision, and of several together."""
    def line(device, precision, ratios):
        return [device, precision, str(len(ratios)), f"{spread(ratios)[0]:.0%}", f"{max(abs(r) for r in ratios):.0%}"]

    def together(device, precision, chosen):
        ratios = [ratio for key, group in found.items() if chosen(*key) for ratio in group]
        return [line(device, precision, ratios)] if ratios else []

    lines = [line(*key, ratios) for key, ratios in sorted(found.items())]
    lines += together(", ".join(SEVERAL), "all", lambda card, precision: card in SEVERAL)
    lines += together(f"all but {', '.join(sorted(fitted & {card for card, _ in found}))}", "all",
                      lambda card, precision: card not in fitted)
    lines += together("all", "f32, tf32", lambda card, precision: precision != "f16")
    lines += together("all", "f16", lambda card, precision: precision == "f16")
    lines += together("all", "all", lambda card, precision: True)
    return table(["device", "precision", f"networks and batches of {LEAST_BATCH} and more", "half within", "all within"],
                 lines)


def rates_of_cards(report, rows):
    """{(source, stack, network, precision): {card: (published images/s, predicted, the card's figures of step_of)}}, each
    card at its largest batch."""
    found = {}
    for key, group in grouped(rows, "source", "stack", "network", "precision").items():
        for (card,), mine in grouped(group, "card").items():
            batch = max((row["batch"] for row in mine), key=int)
            step = step_of(report, key[2], card, key[3], batch)
            published = [float(row["images_per_second"]) for row in mine if row["batch"] == batch]
            if step is not None:
                found.setdefault(key, {})[card] = statistics.median(published), int(batch) / step[0], step[1:]
    return found


def limited_elsewhere(found):
    """The (key, card) of rates of a stack and network that something else than the card limits: TWICE of all gains less than
    LEAST_GAIN."""
    limited = set()
    runs = [(key, card, *rate) for key, rates in found.items() for card, rate in rates.items()]
    for (key, card, rate, _, has), (other, more, faster, _, twice) in itertools.permutations(runs, 2):
        if key[:3] == other[:3] and all(b >= TWICE * a for a, b in zip(has, twice)) and faster < LEAST_GAIN * rate:
            limited |= {(key, card), (other, more)}
    return limited


def ratio_errors(rates):
    """Of every pair of cards, how far the ratio of the predicted rates is from that of the published ones."""
    excess = [predicted / published for published, predicted, _ in rates.values()]
    return [max(one, other) / min(one, other) - 1 for one, other in itertools.combinations(excess, 2)]


def compare_cards(report, rows):
    """The lines that --ratios prints, and whether half of the pairs are within RATIO_BAR."""
    shipped, groups, cards, every = models(), [], [], []
    found = rates_of_cards(report, [row for row in rows if row["card"] in shipped and int(row["batch"]) >= LEAST_BATCH])
    limited = limited_elsewhere(found)
    for key, rates in sorted(found.items()):
        counted = {card: rate for card, rate in rates.items() if (key, card) not in limited}
        off = ratio_errors(counted)
        if not off:
            continue
        every += off
        half, most, _ = spread(off)
        name = [key[0], key[1].split(";")[0], *key[2:]]
        groups.append([*name, str(len(counted)), str(len(off)), f"{half:.0%}", f"{most:.0%}"])
        slowest = min(counted.values())
        cards += [[*name, card, f"{published:.0f}", f"{predicted:.0f}", f"{published / slowest[0]:.2f}",
                   f"{predicted / slowest[1]:.2f}"]
                  for card, (published, predicted, _) in sorted(counted.items(), key=lambda item: item[1])]
    half, most, _ = spread(every) if every else (0, 0, 0)
    is_met = round(half, 2) <= RATIO_BAR  # as printed
    names = ", ".join(sorted(f"{key[0]} {card} {key[3]}" for key, card in limited)) or "none"
    heads = ["source", "stack", "network", "precision"]
    return (table([*heads, "cards", "pairs", "half within", "nine tenths within"], groups)
            + ["", f"Of all {len(every)} pairs: half within {half:.0%}, nine tenths within {most:.0%}; the bar, half within "
                   f"{RATIO_BAR:.0%}, is {'met' if is_met else 'not met'}.",
               f"Left out, as {TWICE} times the peak and the bandwidth buy less than {LEAST_GAIN} times the rate there, so that "
               f"the card is not what limits it: {names}.", ""]
            + table([*heads, "card", "published images/s", "predicted", "times the slowest: published", "predicted"], cards)), is_met


def listed_twice(rows):
    """Of shapes that a source lists more than once for a card: how much slower the slowest is than the fastest."""
    lines = []
    for (card, precision, source), group in sorted(grouped(rows, "card", "precision", "source").items()):
        same = {}
        for row in group:
            same.setdefault((shape_of(row), row["pass"], row["algorithm"]), []).append(float(row["ms"]))
        factors = sorted(max(times) / min(times) for times in same.values() if len(times) > 1)
        if factors:
            lines.append([card, precision, source, str(len(factors)), f"{statistics.median(factors):.2f}",
                          f"{factors[int(0.9 * (len(factors) - 1))]:.2f}", f"{factors[-1]:.2f}"])
    return table(["device", "precision", "source", "listed twice", "half within a factor of", "nine tenths", "all"], lines)


def published_twice(rows):
    """Of networks that several sources trained on a card, in batches that count: the rates, best of each source."""
    lines = []
    rows = [row for row in rows if int(row["batch"]) >= LEAST_BATCH]
    for (card, precision, network), group in sorted(grouped(rows, "card", "precision", "network").items()):
        best = {}
        for row in group:
            best[row["source"]] = max(best.get(row["source"], 0), float(row["images_per_second"]))
        if len(best) > 1:
            rates = ", ".join(f"{source} {rate:.0f}" for source, rate in sorted(best.items(), key=lambda item: item[1]))
            lines.append([card, precision, network, rates, f"{max(best.values()) / min(best.values()):.2f}"])
    return table(["device", "precision", "network", "images/s, the best of each source", "factor"], lines)


def section(costs, report, data):
    lines = ["### Convolutions", ""]
    convolutions = read(data, "conv-times.csv")
    fitted = {row["card"] for row in convolutions if row["source"] == FITTED_SOURCE}
    lines += compare_times(costs, convolutions, predict_convolutions, shape_of)
    lines += ["", "### Matrix products", ""]
    lines += compare_times(costs, read(data, "product-times.csv"), predict_products, product_of)
    lines += ["", "### Whole networks", ""]
    lines += compare_networks(report, read(data, "network-rates.csv"), fitted)
    lines += ["", "### Cards against each other", ""]
    lines += compare_cards(report, read(data, "network-rates.csv"))[0]
    lines += ["", "### Where the published figures differ from each other", ""]
    lines += listed_twice(convolutions) + [""] + published_twice(read(data, "network-rates.csv"))
    return "\n".join(lines) + "\n"


def split_file(path, heading=HEADING):
    """What stands before the tables of the section, the tables, and what follows them."""
    with open(path, encoding="utf-8") as file:
        before, _, rest = file.read().partition(heading)
    prose, _, tables = rest.partition("\n### ")
    tables, end, after = tables.partition("\n## ")
    return before + heading + prose + "\n", "### " + tables, end[1:] + after


def stated_accuracy(device, key):
    """What a device model says of its convolutions, as (timings, half, nine tenths); None: nothing."""
    with open(f"models/devices/{device}.yaml", encoding="utf-8") as file:
        line = re.search(rf"^{key}: {{(.*)}}$", file.read(), re.MULTILINE)
    if line is None:
        return None
    values = dict(pair.split(": ") for pair in line[1].split(", "))
    return int(values.get("timings", 0)), float(values["half_within"]), float(values["nine_tenths_within"])


def check_accuracy(costs, rows):
    """Every model with timings of its card states what was found: of those kept back, or of all where none was fitted."""
    wrong = 0
    for device, key in [(device, key) for device in models() for key in ("accuracy", "tensor_accuracy")]:
        mine = [row for row in rows if row["card"] == device and (row["precision"] == "f16") == (key == "tensor_accuracy")]
        fitted = [row for row in mine if row["source"] == FITTED_SOURCE]
        stated = stated_accuracy(device, key)
        if not mine or stated is None:
            continue
        precision = mine[0]["precision"]
        predict_convolutions(costs, fitted or mine, device, precision)
        half, most, _ = spread(errors(kept_rows(fitted) if fitted else mine))
        found = (len(fitted), round(half, 2), round(most, 2))
        if found != stated:
            print(f"models/devices/{device}.yaml: {key} is {stated}, found {found}")
            wrong = 1
    if not wrong:
        print("the device models state the accuracy that was found")
    return wrong


def check(text, path, heading=HEADING):
    stands = split_file(path, heading)[1]
    if stands == text:
        print(f"{path} has these tables")
        return 0
    for line in difflib.unified_diff(stands.splitlines(), text.splitlines(), path, "these models", lineterm="", n=0):
        print(line)
    return 1


def write(text, path, heading=HEADING):
    before, _, after = split_file(path, heading)
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + text + ("\n" + after if after else ""))
    return 0


def print_rows(costs, data, device):
    mine = [row for row in read(data, "conv-times.csv") if row["card"] == device]
    for (precision,), rows in sorted(grouped(mine, "precision").items()):
        predict_convolutions(costs, rows, device, precision)
        for row, error in zip(rows, errors(rows)):
            print(f"{row['source']:11s} {precision:4s} {str(shape_of(row)):56s} {row['pass']:10s} {float(row['ms']):9.3f} "
                  f"{row['predicted']:9.3f} {error:+7.0%} {row['algorithm']}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--costs", required=True)
    parser.add_argument("--report", required=True)
    parser.add_argument("--data", default="tests/reference")
    parser.add_argument("--check", metavar="FILE", help="fails where FILE has another section")
    parser.add_argument("--write", metavar="FILE", help="puts the section into FILE")
    parser.add_argument("--accuracy", action="store_true", help="fails where a device model states another accuracy")
    parser.add_argument("--ratios", action="store_true", help="fails where cards compare otherwise than published")
    parser.add_argument("--rows", metavar="DEVICE", help="lists a device's convolutions")
    args = parser.parse_args()
    costs = Costs(args.costs)
    if args.rows:
        return print_rows(costs, args.data, args.rows)
    if args.accuracy:
        return check_accuracy(costs, read(args.data, "conv-times.csv"))
    if args.ratios:
        lines, is_met = compare_cards(args.report, read(args.data, "network-rates.csv"))
        print("\n".join(lines))
        return 0 if is_met else 1
    text = section(costs, args.report, args.data)
    if args.check:
        return check(text, args.check)
    if args.write:
        return write(text, args.write)
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
