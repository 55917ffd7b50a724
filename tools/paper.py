#!/usr/bin/python3
"""Regenerates the figures of the vDNN paper (Rhu et al., MICRO 2016) on the simulated Titan X.

    tools/paper.py --report PROGRAM [--device NAME] [--out DIR] [--data DIR] [--check]

PROGRAM is build/bin/vdnnreport, which plans and counts; this script only asks, lays out and compares.
OUT gets paper.md with a table for each figure (ours, the paper's, the difference, and the same by this
engine's own accounting under the paper's rules) and a picture beside it. What was fitted to and what
holds by construction is told apart from what is predicted, and the bar is counted on the latter alone.
Without the paper's figures (vdnn-figures.csv in DIR) the page shows ours alone. With --check it ends
with 1 where a figure is farther off than its bar and not in the list of known differences, and with 4
where there are no figures to check against.
"""
import argparse
import csv
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # nothing is left behind in tools/

from paper_chart import Bar, Chart, Group  # noqa: E402

MIB = 2**20

# The paper's VGG-16 has 16 convolutions (configuration E).
CONVENTIONAL = {"AlexNet(128)": ("alexnet", 128), "OverFeat(128)": ("overfeat", 128),
                "GoogLeNet(128)": ("googlenet", 128), "VGG-16(64)": ("vgg19", 64), "VGG-16(128)": ("vgg19", 128),
                "VGG-16(256)": ("vgg19", 256)}
DEEP = {"VGG-116(32)": ("vgg116", 32), "VGG-216(32)": ("vgg216", 32), "VGG-316(32)": ("vgg316", 32),
        "VGG-416(32)": ("vgg416", 32)}
NETWORKS = CONVENTIONAL | DEEP
POLICIES = ("all(m)", "all(p)", "conv(m)", "conv(p)", "dyn", "base(m)", "base(p)")

# figure, how the subject ends, metric: how far off it may be, absolute and relative; the larger one counts. Bytes
# are read off drawings to 39 MiB, workspaces of figure 5 to 5.
BARS = (
    ("Fig1", "", "alloc_MB", 0, 0.03),
    ("Fig1", "", "max_layerwise_usage_pct", 0, 0.03),
    ("Fig4", "", "weights_MB", 0, 0.03),
    ("Fig4", "", "feature_maps_MB", 0, 0.03),
    ("Fig4", "", "gradient_maps_MB", 0, 0.03),
    ("Fig4", "", "workspace_MB", 0, 0.03),
    ("Fig4", "", "feature_maps_pct", 0, 0.03),
    ("Fig5", "", "X+Y_MB", 5, 0.03),
    ("Fig5", "", "fwd_workspace_MB", 5, 0.03),
    ("Fig5", "", "weights_MB", 0.1, 0.03),
    ("Fig11", "(m)", "max_MB", 45, 0.02),
    ("Fig11", "", "max_MB", 45, 0.05),
    ("Fig11", "", "avg_MB", 45, 0.05),
    ("Fig12", "", "offload_MB", 20, 0),
    ("Fig14", "(m)", "perf_norm", 0.05, 0),
    ("Fig14", "", "perf_norm", 0.03, 0),
    ("Fig15", "", "gpu_MB", 45, 0.01),
    ("Fig15", "", "cpu_MB", 45, 0.01),
)
# No plan of VGG-16(256) but those that offload fits; speeds are against a sum of layers.
LOOSER = {("Fig14", "VGG-16(256)", ""): 0.07, ("Fig14", "VGG-16(256)", "(m)"): 0.05}

# What a value that is compared rests on; the first row that applies counts. None: every figure, subject or metric.
PREDICTED, FITTED, CONSTRUCTION = "predicted", "fitted", "by construction"
RESTS_ON = (
    ("Fig5", "FC_", "fwd_workspace_MB", CONSTRUCTION, "a matrix product has no workspace"),
    ("Fig5", None, "fwd_workspace_MB", FITTED, "the cost model was fitted to choose these (`make calibrate`)"),
    ("Fig5", None, None, CONSTRUCTION, "sizes of tensors, which follow from the network's shapes"),
    ("Fig6", None, None, FITTED, "two thirds of these times are what the cost model was fitted to; no bar is set"),
    ("Fig4", None, "weights_MB", CONSTRUCTION, "sizes of tensors, which follow from the network's shapes"),
    ("Fig15", "dyn", None, CONSTRUCTION, "which policy the paper's dyn was is read off these bars"),
    (None, "dyn", None, CONSTRUCTION, "usable_bytes of the device model is chosen so that dyn chooses as in the paper; all "
                                      "12 GiB give the same here, and another choice for VGG-16(128) alone, which has "
                                      "no values to compare"),
    ("Fig14", "base(p)", None, CONSTRUCTION, "its time is what the others are measured by"),
    ("Fig11", "base", "avg_MB", CONSTRUCTION, "nothing is freed, so the average is the maximum"),
)

# What the paper's own rules do not reproduce. None: every metric, or every subject.
WORKSPACE = ("at this batch alone the paper's fastest algorithms have workspaces of up to 5 GB; the formulas of the "
             "library give 4.1 GiB at the most")
KNOWN = (
    ("Fig1", "VGG-16(256)", "base", "max_layerwise_usage_pct", WORKSPACE),
    ("Fig4", "VGG-16(256)", "base(p)", "workspace_MB", WORKSPACE),
    ("Fig11", "VGG-16(256)", "base(p)", None, WORKSPACE),
    ("Fig11", "VGG-16(256)", "all(p)", None, WORKSPACE + ", in the maximum and so in the average"),
    ("Fig11", "VGG-16(256)", "conv(p)", None, WORKSPACE),
    ("Fig11", "VGG-16(256)", "conv(m)", None,
     "in the backward pass of pool1 its x, y, dx and dy and what CONV_02 will read are alive, which is the paper's bar at "
     "batch 64 and more than its bar here"),
)
NOTES = {
    "Fig1": "The bars are the network-wide allocation with the fastest algorithms; the points the part of it that one "
            "layer needs at a time (the most under all(p)).",
    "Fig6": "A reuse distance is the time from the end of a layer's forward pass to the start of its backward pass. The times "
            "are the fastest algorithms' by the cost model of this card; no bar is set for them. The paper's backward pass of "
            "CONV_01 is as long as if it also made a gradient of the images, which nobody reads. Ours makes none, and "
            "counts one in Figure 14.",
    "Fig11": "A bar is the average, and on top of it what the maximum adds.",
    "Fig14": "dyn of VGG-16(256) is faster in the paper than the all(p) that it chose, though it steps algorithms "
             "down; here both are the same plan.",
    "Fig15": "The paper's dyn has the numbers of all(p) here, on both sides; by its own rules dyn takes conv(p), which "
             "fits too. The bars show all(p).",
}


# ---- what vdnn says --------------------------------------------------------------------------------------------------


class Network:
    """A report of one network: by the paper's accounting, or by the engine's under the paper's rules."""

    def __init__(self, program, device, model, batch, rules):
        command = [program, "--quiet", "--device", device, *rules, "--model", model, "--batch", str(batch), "--json", "-"]
        self.report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        self.policies = {}
        for row in self.report["policies"]:
            static = row["policy"] != "dyn"
            self.policies[f"{row['policy']}({row['algo']})" if static else "dyn"] = row
        self.layers = [Layer(fields) for fields in self.report["layers"]]

    def row(self, subject):
        """"base", "all" and "conv" are those with the fastest algorithms."""
        return self.policies.get(subject) or self.policies[f"{subject}(p)"]

    def peak(self, subject):
        return self.row(subject)["device_peak_bytes"] / MIB

    def average(self, subject):
        return self.row(subject)["device_average_bytes"] / MIB

    def category(self, subject, name):
        return self.row(subject)["by_category"][name] / MIB

    def numbered(self):
        """CONV_01, ..., FC_01, ... with their layers."""
        counts = {}
        for layer in self.layers:
            kind = {"conv": "CONV", "fc": "FC"}.get(layer.type)
            if kind:
                counts[kind] = counts.get(kind, 0) + 1
                yield f"{kind}_{counts[kind]:02d}", layer

    def reuse_seconds(self, layer):
        above = self.layers[self.layers.index(layer) + 1:]
        return sum(each.forward + each.backward for each in above)


class Layer:
    def __init__(self, fields):
        self.type, self.x, self.y = fields["type"], fields["x_bytes"] / MIB, fields["y_bytes"] / MIB
        self.weights = fields["weight_bytes"] / MIB
        fastest = {p["pass"]: min(p["algorithms"], key=lambda a: a["seconds"]) for p in fields["passes"]}
        self.forward = fastest["forward"]["seconds"] if "forward" in fastest else 0
        self.workspace = fastest["forward"]["workspace_bytes"] / MIB if "forward" in fastest else 0
        self.backward = sum(best["seconds"] for name, best in fastest.items() if name != "forward")


def figure_1(networks):
    for name in CONVENTIONAL:
        net = networks[name]
        yield name, "base", "alloc_MB", net.peak("base")
        yield name, "base", "max_layerwise_usage_pct", 100 * net.peak("all(p)") / net.peak("base")


def figure_4(networks):
    for name in NETWORKS:
        net = networks[name]
        for category in ("weights", "feature_maps", "gradient_maps", "workspace"):
            yield name, "base(p)", f"{category}_MB", net.category("base", category)
        yield name, "base(p)", "feature_maps_pct", 100 * net.category("base", "feature_maps") / net.peak("base")


def figure_5(networks):
    for subject, layer in networks["VGG-16(256)"].numbered():
        yield "VGG-16(256)", subject, "X+Y_MB", layer.x + layer.y
        yield "VGG-16(256)", subject, "fwd_workspace_MB", layer.workspace
        yield "VGG-16(256)", subject, "weights_MB", layer.weights


def figure_6(networks):
    net = networks["VGG-16(64)"]
    for subject, layer in net.numbered():
        yield "VGG-16(64)", subject, "fwd_ms", 1e3 * layer.forward
        yield "VGG-16(64)", subject, "bwd_ms", 1e3 * layer.backward
        yield "VGG-16(64)", subject, "reuse_distance_ms", 1e3 * net.reuse_seconds(layer)


def figure_11(networks):
    for name in CONVENTIONAL:
        net = networks[name]
        for subject in POLICIES:
            yield name, subject, "avg_MB", net.average(subject)
            yield name, subject, "max_MB", net.peak(subject)
            yield name, subject, "avg_savings", 1 - net.average(subject) / net.average("base(p)")


def figure_12(networks):
    for name in CONVENTIONAL:
        for subject in ("all", "conv"):
            yield name, subject, "offload_MB", networks[name].row(subject)["offload_bytes"] / MIB


def figure_14(networks):
    for name in CONVENTIONAL:
        for subject in POLICIES:
            yield name, subject, "perf_norm", networks[name].row(subject)["relative_speed"]


def figure_15(networks):
    for name in DEEP:
        net = networks[name]
        yield name, "base(p)", "gpu_MB", net.peak("base(p)")
        yield name, "dyn", "gpu_MB", net.peak("all(p)")
        yield name, "dyn", "cpu_MB", net.row("all(p)")["host_peak_bytes"] / MIB


# ---- pictures --------------------------------------------------------------------------------------------------------


class Values:
    """One figure's values, ours and the paper's: {(network, subject, metric): value}."""

    def __init__(self, ours, paper):
        self.ours = {(network, subject, metric): value for network, subject, metric, value in ours}
        self.paper = paper

    def marks(self, *keys):
        return [self.paper[key] for key in keys if key in self.paper]

    def bar(self, label, network, subject, metrics, total=None, point=None):
        """A bar of stacked metrics, {series: metric}; marks where the paper has them."""
        parts = [(series, self.ours[network, subject, metric]) for series, metric in metrics.items()]
        keys = [(network, subject, metric) for metric in metrics.values()]
        marks = [sum(self.paper[key] for key in keys)] if all(key in self.paper for key in keys) else []
        if total is not None:
            marks = self.marks(*((network, subject, metric) for metric in total))
        key = (network, subject, point)
        return Bar(label, parts, marks, self.ours.get(key), self.paper.get(key))


def chart_1(v):
    groups = [Group(n, [v.bar("", n, "base", {"memory": "alloc_MB"}, point="max_layerwise_usage_pct")])
              for n in CONVENTIONAL]
    return Chart("Figure 1: memory of the baseline, and the most that one layer uses", "MiB", [groups],
                 right="largest layer, % of it", width=44, names=False)


def chart_4(v):
    kinds = {"weights": "weights_MB", "feature maps": "feature_maps_MB", "gradient maps": "gradient_maps_MB",
             "workspace": "workspace_MB"}
    panels = [[Group(n, [v.bar("", n, "base(p)", kinds, point="feature_maps_pct")]) for n in names]
              for names in (CONVENTIONAL, DEEP)]
    return Chart("Figure 4: what the baseline's memory is used for", "MiB", panels, right="feature maps, %", width=44,
                 names=False)


def subjects_of(v):
    return list(dict.fromkeys(subject for _, subject, _ in v.ours))


def chart_5(v):
    kinds = {"feature maps (X and Y)": "X+Y_MB", "workspace": "fwd_workspace_MB"}
    bars = [v.bar(s, "VGG-16(256)", s, kinds, point="weights_MB") for s in subjects_of(v)]
    return Chart("Figure 5: memory of each layer in forward, VGG-16(256)", "MiB", [[Group("", bars)]],
                 right="weights, MiB", width=30)


def chart_6(v):
    groups = []
    for s in subjects_of(v):
        forward = v.bar(s, "VGG-16(64)", s, {"forward": "fwd_ms"}, point="reuse_distance_ms")
        groups.append(Group("", [forward, v.bar("", "VGG-16(64)", s, {"backward": "bwd_ms"})]))
    return Chart("Figure 6: time of each layer, and how long until its maps are used again, VGG-16(64)", "ms", [groups],
                 right="reuse distance, ms", width=18)


def chart_11(v):
    panels = []
    for names in (list(CONVENTIONAL)[:3], list(CONVENTIONAL)[3:]):
        panels.append([])
        for n in names:
            bars = []
            for s in POLICIES:
                average, most = v.ours[n, s, "avg_MB"], v.ours[n, s, "max_MB"]
                bars.append(Bar(s, [("average", average), ("maximum", most - average)],
                                v.marks((n, s, "avg_MB"), (n, s, "max_MB"))))
            panels[-1].append(Group(n, bars))
    return Chart("Figure 11: memory of each policy", "MiB", panels, width=19)


def chart_12(v):
    groups = [Group(n, [v.bar(s, n, s, {"offloaded in a step": "offload_MB"}) for s in ("all", "conv")])
              for n in CONVENTIONAL]
    return Chart("Figure 12: memory that is offloaded", "MiB", [groups], width=36)


def chart_14(v):
    groups = [Group(n, [v.bar(s, n, s, {"speed": "perf_norm"}) for s in POLICIES]) for n in CONVENTIONAL]
    return Chart("Figure 14: speed against the oracle", "oracle's time / time", [groups], width=18)


def chart_15(v):
    groups = [Group(n, [v.bar("base(p)", n, "base(p)", {"on the GPU": "gpu_MB"}),
                        v.bar("dyn", n, "dyn", {"on the GPU": "gpu_MB", "on the host": "cpu_MB"})]) for n in DEEP]
    return Chart("Figure 15: memory of very deep networks", "MiB", [groups], width=44)


FIGURES = {
    "Fig1": (figure_1, chart_1), "Fig4": (figure_4, chart_4), "Fig5": (figure_5, chart_5), "Fig6": (figure_6, chart_6),
    "Fig11": (figure_11, chart_11), "Fig12": (figure_12, chart_12), "Fig14": (figure_14, chart_14),
    "Fig15": (figure_15, chart_15),
}


OF_PLANS = ("Fig1", "Fig4", "Fig11", "Fig12", "Fig14", "Fig15")  # the others are of layers, whoever counts


# ---- comparison ------------------------------------------------------------------------------------------------------


def allowed(figure, network, subject, metric, value):
    """How far off a value may be; None: no bar is set."""
    for f, end, m, absolute, relative in BARS:
        if f == figure and m == metric and subject.endswith(end):
            return max(LOOSER.get((figure, network, end), absolute), relative * value)
    return None


def reason(figure, network, subject, metric):
    for f, n, s, m, why in KNOWN:
        if (f, n, s) == (figure, network, subject) and m in (None, metric):
            return why
    return None


def rests_on(figure, subject, metric):
    for f, begin, m, kind, why in RESTS_ON:
        if f in (None, figure) and subject.startswith(begin or "") and m in (None, metric):
            return kind, why
    return PREDICTED, None


class Line:
    """One value of a figure beside the paper's, if there is one, and the engine's own, if it has another."""

    def __init__(self, figure, key, ours, paper, engine):
        self.figure, self.key, self.ours, self.paper, self.engine = figure, key, ours, paper, engine
        bound = None if paper is None else allowed(figure, *key, paper)
        self.far = bound is not None and abs(ours - paper) > bound
        self.engine_near = bound is not None and engine is not None and abs(engine - paper) <= bound
        self.reason = reason(figure, *key) if self.far else None
        self.judged = bound is not None
        self.kind, self.why = rests_on(figure, *key[1:])

    def cells(self):
        network, subject, metric = self.key
        engine = "" if self.engine is None else show(self.engine)
        if self.paper is None:
            return [network, subject, metric, show(self.ours), "", "", engine, "", ""]
        relative = f"{(self.ours - self.paper) / self.paper:+.1%}" if self.paper else ""
        verdict = "" if not self.judged else "within" if not self.far else "known" if self.reason else "**off**"
        return [network, subject, metric, show(self.ours), show(self.paper),
                f"{show(self.ours - self.paper, '+')} {relative}".strip(), engine, verdict, self.kind if self.judged else ""]


def show(value, sign=""):
    return f"{value:{sign},.0f}" if abs(value) >= 100 else f"{value:{sign}.1f}" if abs(value) >= 5 else f"{value:{sign}.3f}"


def read_paper(path):
    """{figure: {(network, subject, metric): value}}; empty where there is no such file."""
    paper = {}
    if os.path.exists(path):
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                key = (row["network"], row["policy_or_layer"], row["metric"])
                paper.setdefault(row["figure"], {})[key] = float(row["value"])
    return paper


# ---- the page --------------------------------------------------------------------------------------------------------


def table(lines):
    head = ["network", "of", "metric", "ours", "paper", "difference", "engine", "", "rests on"]
    rows = [head, ["---", "---", "---", "---:", "---:", "---:", "---:", "---", "---"], *(line.cells() for line in lines)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


class Count:
    """The values of one kind."""

    def __init__(self, lines, kind):
        own = [line for line in lines if line.judged and line.kind == kind]
        self.all, self.near = len(own), sum(not line.far for line in own)
        self.known = sum(line.reason is not None for line in own)
        self.engine = sum(line.engine is not None for line in own), sum(line.engine_near for line in own)
        self.why = {}
        for line in own:
            self.why.setdefault(line.why, []).append(line)

    def text(self):
        off = self.all - self.near - self.known
        return f"{self.near} of {self.all} within their bars, {self.known} known differences, {off} off"


def what_they_rest_on(lines):
    """The bar is the predicted values'; the others show that the model was built right, and no more."""
    predicted = Count(lines, PREDICTED)
    judged = sum(line.judged for line in lines)
    yield (f"Of the paper's values {judged} are compared. **{predicted.all} are predicted: {predicted.text()}.** The others "
           "prove less, and no bar is counted on them:")
    yield ""
    for kind in (FITTED, CONSTRUCTION):
        count = Count(lines, kind)
        groups = "; ".join(f"{len(group)}: {why}" for why, group in count.why.items())
        yield f"- {count.all} {'were fitted to' if kind == FITTED else 'hold by construction'} ({count.text()}). {groups}."
    yield ""
    yield ("The predicted ones are of one card, and not free of the paper either: the rules of its accounting "
           "(`runtime/report/paper.h`) were worked out with these figures in view, though no number in them is fitted, and "
           "workspaces and times are those of a cost model that has seen Figures 5 and 6. `make calibrate "
           "CALIBRATE=\"--leave-out --models DIR\"` fits it without them, `make paper PAPER=\"--device sim:FILE\"` compares "
           "what comes of that.")
    yield ""
    everywhere, near = predicted.engine
    yield ("By this engine's own accounting under the paper's rules (`--rules paper`: the same policies on the same device, "
           "with gradients of weights, momentum and the classifier counted, averages over time, and whole steps on the "
           f"clock) {near} of the {everywhere} predicted values are within the same bars; the column `engine` has them all. "
           "What the paper counts is less than what a program that trains has to hold.")


def summary(lines):
    """For each figure and metric: how many values there are to compare, and the largest differences."""
    groups = {}
    for line in lines:
        if line.judged:
            groups.setdefault((line.figure, line.key[2]), []).append(line)
    yield "| figure | metric | compared | within | known differences | largest difference within |"
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for (figure, metric), group in groups.items():
        near = [line for line in group if not line.far]
        worst = max(near, key=lambda line: abs(line.ours - line.paper) / line.paper if line.paper else 0, default=None)
        words = f"{worst.key[0]} {worst.key[1]}: {show(worst.ours)} for {show(worst.paper)}" if worst else ""
        yield (f"| {figure} | {metric} | {len(group)} | {len(near)} | {sum(line.reason is not None for line in group)} | "
               f"{words} |")


def write_page(out, figures, lines, choices, has_paper):
    page = ["# The figures of the vDNN paper, on a simulated Titan X", "",
            "Rhu et al., *vDNN: Virtualized Deep Neural Networks for Scalable, Memory-Efficient Neural Network Design*, "
            "MICRO 2016. Made by `make paper`: `vdnnreport --device sim:titan-x-maxwell --accounting paper` for each "
            "network, planned by the policies that run everywhere and counted as the paper counts. Bytes are MiB; lines "
            "across the bars are the paper's, read off its drawings (bytes to 39 MiB, speeds to 0.002).", ""]
    if has_paper:
        page += ["## What is predicted", "", *what_they_rest_on(lines), ""]
        page += ["## Ours and the paper's", "", *summary(lines), ""]
        known = [line for line in lines if line.far]
        page += ["## Known differences", "",
                 *(f"- {line.figure}, {' '.join(line.key)}: {show(line.ours)}, in the paper {show(line.paper)}: "
                   f"{line.reason or '**not known why**'}." for line in known), "",
                 f"- {NOTES['Fig14']}", f"- {NOTES['Fig15']}", ""]
    else:
        page += ["The paper's values are not there to compare with.", ""]
    page += ["## What dyn chose", "", "| network | chosen | smallest budget, MiB |", "| --- | --- | ---: |"]
    page += [f"| {name} | {policy}({algo}) | {show(smallest / MIB)} |" for name, (policy, algo, smallest) in choices.items()]
    for figure in figures:
        number = figure[3:]
        page += ["", f"## Figure {number}", "", f"![Figure {number}](figure-{number}.svg)", ""]
        page += [NOTES[figure], ""] if figure in NOTES else []
        page += [table([line for line in lines if line.figure == figure])]
    write(os.path.join(out, "paper.md"), "\n".join(page) + "\n")


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--report", required=True, help="vdnnreport")
    parser.add_argument("--device", default="sim:titan-x-maxwell", help="or another model of it, sim:FILE")
    parser.add_argument("--out", default="build/paper")
    parser.add_argument("--data", default="tests/reference")
    parser.add_argument("--check", action="store_true", help="fail where a figure is farther off than its bar")
    args = parser.parse_args()
    paper = read_paper(os.path.join(args.data, "vdnn-figures.csv"))
    networks, engines = ({name: Network(args.report, args.device, *network, counting) for name, network in NETWORKS.items()}
                         for counting in (("--accounting", "paper"), ("--rules", "paper")))
    os.makedirs(args.out, exist_ok=True)
    lines = []
    for figure, (values_of, chart_of) in FIGURES.items():
        values = Values(values_of(networks), paper.get(figure, {}))
        write(os.path.join(args.out, f"figure-{figure[3:]}.svg"), chart_of(values).draw())
        engine = Values(values_of(engines), {}).ours if figure in OF_PLANS else {}
        lines += [Line(figure, key, ours, values.paper.get(key), engine.get(key)) for key, ours in values.ours.items()]
        missed = set(values.paper) - set(values.ours)
        if missed:
            raise SystemExit(f"paper: {figure} has values that nothing is compared with: {sorted(missed)}")
    dyn = {name: network.row("dyn") for name, network in networks.items()}
    choices = {name: (row["chosen"]["policy"], row["chosen"]["algo"], row["smallest_bytes"]) for name, row in dyn.items()}
    write_page(args.out, FIGURES, lines, choices, bool(paper))
    off = [line for line in lines if line.far and line.reason is None]
    for line in off:
        print(f"paper: {line.figure} {' '.join(line.key)}: {show(line.ours)}, in the paper {show(line.paper)}",
              file=sys.stderr)
    count = {kind: Count(lines, kind) for kind in (PREDICTED, FITTED, CONSTRUCTION)}
    print(f"{os.path.join(args.out, 'paper.md')}: {sum(line.judged for line in lines)} values compared, {len(off)} off; "
          f"{count[PREDICTED].all} predicted: {count[PREDICTED].text()}; {count[FITTED].all} fitted to, "
          f"{count[CONSTRUCTION].all} by construction", file=sys.stderr)
    if args.check and not paper:
        return 4
    return 1 if args.check and off else 0


if __name__ == "__main__":
    sys.exit(main())
